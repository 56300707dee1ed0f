import { moveRange } from '../../charts/move-range.ts';
import type { AbsoluteRange } from './explore-state.ts';

/** The narrowest range: less than a bucket of the query service, but some readings. */
export const minRangeMs = 10_000;
/** The query service's widest range. */
export const maxRangeMs = 366 * 86_400_000;

export const rangeLimits = { minMs: minRangeMs, maxMs: maxRangeMs };

/** The same middle, and so many times as long. It does not reach into the future. */
export function zoomed(range: AbsoluteRange, factor: number, now: number): AbsoluteRange {
  return moveRange(range, { anchor: 0.5, at: 0.5, factor }, { ...rangeLimits, latest: now });
}

/** @param part of the length, negative for earlier */
export function panned(range: AbsoluteRange, part: number, now: number): AbsoluteRange {
  return moveRange(range, { anchor: part, at: 0, factor: 1 }, { ...rangeLimits, latest: now });
}

/** A range as it was selected, but not narrower or wider than the service allows. */
export function clamped({ from, to }: AbsoluteRange): AbsoluteRange {
  if (to - from < minRangeMs) {
    const start = Math.round((from + to - minRangeMs) / 2);
    return { from: start, to: start + minRangeMs };
  }
  return { from: Math.max(from, to - maxRangeMs), to };
}
