import type { RequestBudget } from '@engawa/http';
import type { Summary } from '@engawa/model';
import type { Logger } from 'pino';
import type { Corrections } from '../corrections/corrections.ts';
import type { CorrectionsRequest } from '../corrections/read-corrections.ts';
import { withoutSummary } from './summary-ranges.ts';
import type { TimeRange } from '../time-range.ts';
import type { SummaryRange } from './summary-ranges.ts';
import type { PageProgress } from './page-progress.ts';
import type { NewRollup } from './rollup-writer.ts';

export interface SummariesRequest {
  device: string;
  /**
   * Epoch milliseconds, ascending: the boundaries of the buckets of each stay. Stays are in order of time and do not
   * overlap.
   */
  stays: readonly (readonly number[])[];
  /** One of the edges, in spite of which rollups of days are used: a moment that is no boundary of buckets. */
  cutAt?: number | undefined;
  /**
   * Epoch milliseconds: buckets before this are computed even if the budget is spent, unless
   * `progress` allows to stop.
   */
  atLeastUntil: number;
  budget: RequestBudget;
  /** Maximum values of fields in the buckets after `atLeastUntil`, without the last of them; unlimited by default. */
  maxValues?: number | undefined;
  /** Whether percentiles are requested. */
  withSketches?: boolean | undefined;
  /** The progress of the page. */
  progress: PageProgress;
  signal: AbortSignal;
  log: Logger;
}

interface OpenBucket extends Pick<NewRollup, 'version' | 'outdated' | 'isKept'> {
  /** Whether the stored rollup was made with other corrections. */
  isMiscorrected: boolean;
}

export interface SummariesWork extends SummariesRequest {
  /** Epoch milliseconds of the request: a bucket that is closed by then stays closed. */
  now: number;
  /** One state of the corrections for the whole request: each rollup stores the identifiers of its corrections. */
  corrections: Corrections;
  /** Buckets to store as rollups once their summary is known, with the stored rollup they replace. */
  open: Map<SummaryRange, OpenBucket>;
  /** Epoch milliseconds: later rollups are not read, since there are enough values. */
  until: number;
  /** Number of values in the summarised parts of the range, by the beginning of each. */
  values: Map<number, number>;
  /** Retention of the blocks that were read, in milliseconds; Infinity without expiry. */
  retentions: number[];
  /** Epoch milliseconds: readings from before this may have expired. */
  expiredBefore: number;
}

/** Corrections that one page reads; a page with more of them ends earlier. */
const enoughCorrections = 2000;

export function ascendingCorrections(range: TimeRange, atLeastUntil: number): CorrectionsRequest {
  const needed = Math.min(range.to, atLeastUntil);
  return { ...range, order: 'asc', needed, enough: enoughCorrections };
}

/** The beginning of the first range with times for which the corrections are not known. */
export function endOfKnown(ranges: readonly SummaryRange[], known: TimeRange): number {
  return ranges.find(({ to }) => to > known.to)?.from ?? Infinity;
}

/** Marks ranges whose readings may have expired. A stored rollup of an earlier format then knows more, and is used. */
export function markExpired(work: SummariesWork, ranges: readonly SummaryRange[]): void {
  for (const range of ranges) {
    if (range.summary === undefined || range.from >= work.expiredBefore) continue;
    range.summary.expiredUntil = Math.min(range.to, work.expiredBefore);
    preferOutdated(work, range);
  }
}

export function preferOutdated({ open, corrections }: SummariesWork, range: SummaryRange): void {
  const { outdated, isMiscorrected } = open.get(range) ?? {};
  if (outdated === undefined || range.summary === undefined || !isExpired(range.summary)) return;
  if (isMiscorrected !== true) range.summary = outdated;
  // A day is made of its hours, which have this already.
  else if (range.width !== 'P1D') corrections.keepUntouched(range, outdated, range.summary);
}

export function isExpired({ expiredUntil }: Summary): boolean {
  return expiredUntil > -Infinity;
}

/** Whether the values of this part and of the parts before it are enough for the page. */
export function hasEnoughValues(
  { values, maxValues = Infinity }: SummariesWork,
  part: number,
): boolean {
  const upTo = [...values].filter(([from]) => from <= part);
  return upTo.reduce((sum, [, count]) => sum + count, 0) >= maxValues;
}

/** Bins of a sketch that take as much memory as the rest of the summary of a field: 24 bytes each. */
const binsPerValue = 30;

/** The size of a summary in memory, in values of fields. */
export function sizeOf({ fields }: Summary): number {
  return fields
    .values()
    .reduce((sum, { sketch }) => sum + 1 + (sketch?.bins ?? 0) / binsPerValue, 0);
}

/** The ranges without a summary, as far as the page goes. */
export function unknownIn(
  { until }: SummariesWork,
  ranges: readonly SummaryRange[],
): SummaryRange[] {
  return withoutSummary(ranges).filter(({ from }) => from < until);
}
