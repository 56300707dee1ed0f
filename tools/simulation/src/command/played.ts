import type { Outcome } from '../recorder.ts';

export interface Played extends Outcome {
  /** Of the machine. */
  seconds: number;
}
