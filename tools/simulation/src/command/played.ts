import type { RunOutcome } from '../recorder.ts';

export interface Played extends RunOutcome {
  /** Real time of the run. */
  seconds: number;
}
