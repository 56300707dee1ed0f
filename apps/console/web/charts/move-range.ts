import type { TimeRange } from './chart.ts';

/** A movement of a range. Positions are parts of the plot's width: 0 is its left edge, 1 its right edge. */
export interface RangeMove {
  /** Where a time was before the movement. */
  anchor: number;
  /** Where the same time is after it. */
  at: number;
  /** How many times as long the range becomes. */
  factor: number;
}

export interface RangeLimits {
  minMs: number;
  maxMs: number;
  /** No range ends later. Epoch milliseconds. */
  latest: number;
}

/** The range after a movement: one function for panning (`factor` 1), zooming (`at` = `anchor`) and pinching. */
export function moveRange(
  { from, to }: TimeRange,
  { anchor, at, factor }: RangeMove,
  { minMs, maxMs, latest }: RangeLimits,
): TimeRange {
  const length = Math.min(maxMs, Math.max(minMs, (to - from) * factor));
  const start = from + (to - from) * anchor - length * at;
  const excess = Math.max(0, start + length - latest);
  return { from: Math.round(start - excess), to: Math.round(start + length - excess) };
}
