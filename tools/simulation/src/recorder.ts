import { createHash } from 'node:crypto';
import { wallClock } from './kernel/index.ts';

/** The executed parts of a plan; fewer than planned after an early violation. */
export interface PlayedParts {
  days: number;
  faults: readonly string[];
  steps: Readonly<Record<string, readonly string[]>>;
  /** Actors whose check was started. */
  checks: readonly string[];
}

export interface RunOutcome {
  seed: number;
  /** Violations, a sentence each. */
  violations: string[];
  /** Events, in sentences with their times. */
  story: string[];
  events: number;
  played: PlayedParts;
  /** Messages that devices published. */
  messages: number;
  /** Requests that actors sent to the services, with those that had no answer. */
  requests: number;
  /** Of the whole trace: equal for equal seeds, on any machine. */
  digest: string;
}

/** Records the events of one run. */
export class Recorder {
  readonly violations: string[] = [];
  readonly #story: string[] = [];
  readonly #hash = createHash('sha256');
  readonly #told: ((line: string) => void) | undefined;
  #events = 0;

  /** @param told of every event */
  constructor(told?: (line: string) => void) {
    this.#told = told;
  }

  /** An event, at a time of the world (milliseconds). */
  readonly trace = (at: number, label: string): void => {
    this.#events += 1;
    const line = `${at.toFixed(4)} ${label}`;
    this.#hash.update(line);
    this.#told?.(line);
  };

  /** What happens, in a sentence. */
  readonly tell = (sentence: string): void => {
    this.#story.push(`${new Date(wallClock()).toISOString()} ${sentence}`);
  };

  /** @param rest what the recorder does not see by itself */
  outcome(rest: Pick<RunOutcome, 'seed' | 'played' | 'messages' | 'requests'>): RunOutcome {
    const digest = this.#hash.digest('hex');
    return {
      ...rest,
      violations: this.violations,
      story: this.#story,
      events: this.#events,
      digest,
    };
  }
}
