import type { Outcome } from '../recorder.ts';

/** What a player is to play. */
export interface Assignment {
  seed: number;
  days: number;
}

export interface Played extends Outcome {
  /** Of the machine. */
  seconds: number;
}
