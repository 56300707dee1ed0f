import type { Random } from './random.ts';

/** What has been scheduled and may be cancelled. */
export interface Scheduled {
  cancel(): void;
}

/** What every part of the simulated world takes its time and its chance from. */
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
