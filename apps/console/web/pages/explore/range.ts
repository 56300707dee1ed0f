import type { AbsoluteRange } from './explore-state.ts';

/** The narrowest range: less than a bucket of the query service, but some readings. */
export const minRangeMs = 10_000;
/** The query service's widest range. */
export const maxRangeMs = 366 * 86_400_000;

/** The same middle, and so many times as long. It does not reach into the future. */
export function zoomed({ from, to }: AbsoluteRange, factor: number, now: number): AbsoluteRange {
  const length = Math.min(maxRangeMs, Math.max(minRangeMs, (to - from) * factor));
  const start = Math.round((from + to - length) / 2);
  return pushedBack({ from: start, to: Math.round(start + length) }, now);
}

/** @param part of the length, negative for earlier */
export function panned({ from, to }: AbsoluteRange, part: number, now: number): AbsoluteRange {
  const offset = Math.round((to - from) * part);
  return pushedBack({ from: from + offset, to: to + offset }, now);
}

function pushedBack({ from, to }: AbsoluteRange, now: number): AbsoluteRange {
  const excess = Math.max(0, to - now);
  return { from: from - excess, to: to - excess };
}

/** A range as it was selected, but not narrower or wider than the service allows. */
export function clamped({ from, to }: AbsoluteRange): AbsoluteRange {
  if (to - from < minRangeMs) {
    const start = Math.round((from + to - minRangeMs) / 2);
    return { from: start, to: start + minRangeMs };
  }
  return { from: Math.max(from, to - maxRangeMs), to };
}
