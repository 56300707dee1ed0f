import type { TimeRange } from '../time-range.ts';

/** The time of which a device's readings count, such as its time in the requested room. */
export interface Period extends TimeRange {
  device: string;
  /** The beginning of its stay, at or before `from`; by default `from`. Values since then count before the range. */
  since?: number;
}
