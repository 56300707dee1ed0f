import { bucketEdges } from './calendar.ts';
import type { TimeRange } from '../readings/merge-blocks.ts';
import type { Width } from './calendar.ts';

/** The steps of a chart, ascending, with their usual length in milliseconds. */
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
  ['P1Y', 31_622_400_000],
];

/** Where clocks are put back, a bucket is longer than usual: two hours may last three. */
const maxStretch = 1.5;

/** The longest range (366 days) meets three calendar years at most, so a step is found for so many points and more. */
export const fewestPoints = 3;

/** The smallest step of which a range has at most so many buckets; the first and the last bucket may be shorter ones. */
export function chartWidth(range: TimeRange, timeZone: string, maxPoints: number): Width {
  const length = range.to - range.from;
  const fits = ([every, usualMs]: readonly [Width, number]) => {
    if (length > maxPoints * usualMs * maxStretch) return false; // without listing its buckets
    const edges = bucketEdges({ ...range, every, timeZone, limit: maxPoints });
    return (edges.at(-1) ?? range.to) === range.to;
  };
  return chartWidths.find(fits)?.[0] ?? 'P1Y';
}
