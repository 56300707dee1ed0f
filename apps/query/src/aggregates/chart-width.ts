import { bucketEdges } from './calendar.ts';
import type { TimeRange } from '../time-range.ts';
import type { BucketRequest, Width } from './calendar.ts';

/** Chart steps, ascending, with their usual length in milliseconds. */
const chartWidths: readonly (readonly [Width, number])[] = [
  ['PT1M', 60_000],
  ['PT2M', 120_000],
  ['PT5M', 300_000],
  ['PT10M', 600_000],
  ['PT15M', 900_000],
  ['PT30M', 1_800_000],
  ['PT1H', 3_600_000],
  ['PT2H', 7_200_000],
  ['PT3H', 10_800_000],
  ['PT6H', 21_600_000],
  ['PT12H', 43_200_000],
  ['P1D', 86_400_000],
  ['P1W', 604_800_000],
  ['P1M', 2_678_400_000],
  ['P3M', 7_948_800_000],
  ['P1Y', 31_622_400_000],
];

/** Where clocks are set back, a bucket is longer: two local hours may last three. */
const maxStretch = 1.5;

/** A range of up to 366 days covers at most three calendar years. */
export const minPoints = 3;

/**
 * The smallest step with at most `maxPoints` buckets in the range; the first and the last bucket may be shorter. A year
 * where there is none.
 */
export function chartWidth(
  range: TimeRange,
  { timeZone, weekStart }: Pick<BucketRequest, 'timeZone' | 'weekStart'>,
  maxPoints: number,
): Width {
  const length = range.to - range.from;
  const fits = ([every, usualMs]: readonly [Width, number]) => {
    if (length > maxPoints * usualMs * maxStretch) return false; // decided without computing its buckets
    const edges = bucketEdges({ ...range, every, timeZone, weekStart, limit: maxPoints });
    return (edges.at(-1) ?? range.to) === range.to;
  };
  return chartWidths.find(fits)?.[0] ?? 'P1Y';
}
