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
   * Runs it once, `delayMs` after now. Of what is due at the same instant, what was scheduled first runs first.
   *
   * @param label what happens, for the trace: a constant of few words
   */
  schedule(delayMs: number, label: string, run: () => void): Scheduled;
}
