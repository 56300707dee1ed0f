import type { Random } from './random.ts';

/** A scheduled event, which can be cancelled. */
export interface Scheduled {
  cancel(): void;
}

/** The source of time and random numbers of the simulated world. */
export interface World {
  /** Milliseconds since the world began, possibly with a fraction; never decreases. */
  now(): number;
  readonly random: Random;
  /**
   * Runs an event once, `delayMs` after now. Events of the same instant run in the order of scheduling.
   *
   * @param label names the event in the trace, in a few constant words
   */
  schedule(delayMs: number, label: string, run: () => void): Scheduled;
}
