/** A range of epoch milliseconds: from `from` on, and before `to`. */
export interface TimeRange {
  from: number;
  to: number;
}
