import type { RunOutcome } from '../recorder.ts';

export interface Played extends RunOutcome {
  /** Of the machine. */
  seconds: number;
}
