import type { RunOutcome } from '../recorder.ts';

export interface PlayedRun extends RunOutcome {
  /** Real time of the run. */
  seconds: number;
}
