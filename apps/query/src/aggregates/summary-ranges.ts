import { invariant } from '@engawa/errors';
import { bucketStart, rollupWidths } from '@engawa/model';
import type { RollupWidth, Summary } from '@engawa/model';
import type { TimeRange } from '../time-range.ts';

/** A range that is summarised by itself: an hour or a day, which may have a rollup, or a part of an hour. */
export interface SummaryRange extends TimeRange {
  /** Absent where there can be no rollup. */
  width?: RollupWidth;
  /** Absent while unknown. */
  summary?: Summary;
}

const hourMs = rollupWidths.PT1H;
const dayMs = rollupWidths.P1D;

/**
 * Cuts the range between two edges at the boundaries of rollups: the rest before the first full
 * hour, full hours, full days (if `days`), full hours, the rest after the last full hour. In order
 * of time, without gaps. Only a day spans two hours, since a counter may fall once per hour.
 */
export function summaryRangesOf(from: number, to: number, days: boolean): SummaryRange[] {
  const hours = inner({ from, to }, 'PT1H');
  if (hours === undefined) {
    const edge = Math.min(to, bucketStart(from, 'PT1H') + hourMs);
    return [...part(from, edge), ...part(edge, to)];
  }
  const whole = days ? inner(hours, 'P1D') : undefined;
  return [
    ...part(from, hours.from),
    ...split({ from: hours.from, to: whole?.from ?? hours.to }, 'PT1H'),
    ...(whole ? split(whole, 'P1D') : []),
    ...(whole ? split({ from: whole.to, to: hours.to }, 'PT1H') : []),
    ...part(hours.to, to),
  ];
}

/** The ranges of each bucket between these edges. @param cutAt an edge that is no boundary of buckets */
export function rangesOfBuckets(
  edges: readonly number[],
  cutAt: number | undefined,
): SummaryRange[][] {
  const days = alignsToDays(edges.filter((edge) => edge !== cutAt));
  return edges
    .slice(1)
    .map((to, index) =>
      summaryRangesOf(invariant(edges[index], 'each bucket has a beginning'), to, days),
    );
}

/** The 24 hours of a day in UTC. */
export function hoursOf(day: SummaryRange): SummaryRange[] {
  return split(day, 'PT1H');
}

/** Whether rollups of days can be used: all edges but the outermost are midnights in UTC. */
export function alignsToDays(edges: readonly number[]): boolean {
  return edges.length > 1 && edges.slice(1, -1).every((edge) => edge % dayMs === 0);
}

/** Joins adjacent ranges; gaps up to `bridge` milliseconds are bridged. */
export function runsOf(ranges: readonly SummaryRange[], bridge = 0): TimeRange[] {
  const runs: TimeRange[] = [];
  for (const { from, to } of ranges) {
    const run = runs.at(-1);
    if (run !== undefined && from - run.to <= bridge) run.to = to;
    else runs.push({ from, to });
  }
  return runs;
}

export function isWithin(range: TimeRange, run: TimeRange): boolean {
  return range.from >= run.from && range.to <= run.to;
}

/** Splits a range into parts that end at full hours, of about `length` milliseconds (a number of days). */
export function partsOf({ from, to }: TimeRange, length: number): TimeRange[] {
  const first = bucketStart(from, 'P1D');
  return Array.from({ length: Math.ceil((to - first) / length) }, (_, index) => ({
    from: Math.max(from, first + index * length),
    to: Math.min(to, first + (index + 1) * length),
  }));
}

/** The range of the full buckets of a width within a range; undefined where there is none. */
function inner({ from, to }: TimeRange, width: RollupWidth): TimeRange | undefined {
  const first = bucketStart(from + rollupWidths[width] - 1, width);
  const end = bucketStart(to, width);
  return first < end ? { from: first, to: end } : undefined;
}

function part(from: number, to: number): SummaryRange[] {
  return from < to ? [{ from, to }] : [];
}

function split({ from, to }: TimeRange, width: RollupWidth): SummaryRange[] {
  const length = rollupWidths[width];
  return Array.from({ length: (to - from) / length }, (_, index) => ({
    from: from + index * length,
    to: from + (index + 1) * length,
    width,
  }));
}

export const oneHour = hourMs;
export const oneDay = dayMs;

export function hasFields({ summary }: SummaryRange): boolean {
  return summary !== undefined && summary.fields.size > 0;
}

export function setSummary(range: SummaryRange, summary: Summary | undefined): void {
  if (summary !== undefined) range.summary = summary;
}

/** Ranges without a summary. */
export function withoutSummary(ranges: readonly SummaryRange[]): SummaryRange[] {
  return ranges.filter(({ summary }) => summary === undefined);
}
