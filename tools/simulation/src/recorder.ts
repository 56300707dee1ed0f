import { createHash } from 'node:crypto';
import { wallClock } from './kernel/index.ts';

/** The executed parts of a plan; fewer than planned after an early violation. */
export interface PlayedParts {
  days: number;
  faults: readonly string[];
  steps: Readonly<Record<string, readonly string[]>>;
  /** Names of actors whose check was started. */
  checks: readonly string[];
}

export interface RunOutcome {
  seed: number;
  /** One sentence per violation. */
  violations: string[];
  /** Injected faults and requests of actors, as sentences with their times. */
  story: string[];
  events: number;
  played: PlayedParts;
  /** Messages that devices published. */
  messages: number;
  /** Requests that actors sent to the services, with or without a response. */
  requests: number;
  /** Hash of the whole trace, equal for equal plans on any machine. */
  digest: string;
}

/** Records the events of one run. */
export class Recorder {
  readonly violations: string[] = [];
  readonly #story: string[] = [];
  readonly #hash = createHash('sha256');
  readonly #onEvent: ((line: string) => void) | undefined;
  #events = 0;

  /** @param onEvent called with the trace line of every event */
  constructor(onEvent?: (line: string) => void) {
    this.#onEvent = onEvent;
  }

  /** Adds an event to the trace. @param at milliseconds of the world's time */
  readonly trace = (at: number, label: string): void => {
    this.#events += 1;
    const line = `${at.toFixed(4)} ${label}`;
    this.#hash.update(line);
    this.#onEvent?.(line);
  };

  /** Adds a sentence to the story. */
  readonly narrate = (sentence: string): void => {
    this.#story.push(`${new Date(wallClock()).toISOString()} ${sentence}`);
  };

  /** @param rest the parts of the outcome that the recorder does not record */
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
