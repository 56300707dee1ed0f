import type { RequestBudget } from '@engawa/http';
import type { Summary } from '@engawa/model';
import type { Logger } from 'pino';
import type { Corrections } from '../corrections/corrections.ts';
import type { CorrectionsRequest } from '../corrections/read-corrections.ts';
import { hasFields, withoutSummary } from './summary-ranges.ts';
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

export interface SummariesContext extends SummariesRequest {
  /** Epoch milliseconds of the request: a bucket that is closed by then stays closed. */
  now: number;
  /** One state of the corrections for the whole request: each rollup stores the identifiers of its corrections. */
  corrections: Corrections;
}

/** A bucket to store as a rollup once its summary is known, with the stored rollup that it replaces. */
export interface OpenBucket extends Pick<NewRollup, 'version' | 'outdated' | 'isKept'> {
  /** Whether the stored rollup was made with other corrections. */
  isMiscorrected: boolean;
}

export type OpenBuckets = ReadonlyMap<SummaryRange, OpenBucket>;

/** The stored rollups that are not up to date, and the corrections that new ones have to include. */
interface StoredRollups extends Pick<SummariesContext, 'corrections'> {
  open: OpenBuckets;
}

/** What reading the rollups of ranges left: the summaries of the others are set. */
export interface ReadRollups {
  open: OpenBuckets;
  /** Epoch milliseconds: later rollups were not read, since there are enough values. */
  until: number;
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

/**
 * Marks ranges whose readings may have expired. A stored rollup of an earlier format then knows more, and is used.
 * @param expiredBefore epoch milliseconds
 */
export function markExpired(
  ranges: readonly SummaryRange[],
  expiredBefore: number,
  stored: StoredRollups,
): void {
  for (const range of ranges) {
    if (range.summary === undefined || range.from >= expiredBefore) continue;
    range.summary.expiredUntil = Math.min(range.to, expiredBefore);
    preferOutdated(range, stored);
  }
}

export function preferOutdated(range: SummaryRange, { open, corrections }: StoredRollups): void {
  const { outdated, isMiscorrected } = open.get(range) ?? {};
  if (outdated === undefined || range.summary === undefined || !isExpired(range.summary)) return;
  if (isMiscorrected !== true) range.summary = outdated;
  // A day is made of its hours, which have this already.
  else if (range.width !== 'P1D') corrections.keepUntouched(range, outdated, range.summary);
}

/** The rollups to store: those of complete buckets whose readings have not expired. */
export function rollupsToStore(
  ranges: readonly SummaryRange[],
  { open, corrections }: StoredRollups,
): NewRollup[] {
  const firstKnown = Math.min(...ranges.filter(hasFields).map(({ from }) => from));
  return ranges.flatMap((range): NewRollup[] => {
    const { width, summary, from } = range;
    const before = open.get(range);
    if (width === undefined || summary === undefined || before === undefined) return [];
    // Empty buckets before the first reading are not stored: there is no end of them.
    if (from < firstKnown || isExpired(summary)) return [];
    const { version, outdated, isKept } = before;
    const made = { corrections: corrections.tagOf(range), version, outdated, isKept };
    return [{ width, start: from, ...made, summary }];
  });
}

export function isExpired({ expiredUntil }: Summary): boolean {
  return expiredUntil > -Infinity;
}

/** Bins of a sketch that take as much memory as the rest of the summary of a field: 24 bytes each. */
const binsPerValue = 30;

/** The size of a summary in memory, in values of fields. */
export function sizeOf({ fields }: Summary): number {
  return fields
    .values()
    .reduce((sum, { sketch }) => sum + 1 + (sketch?.bins ?? 0) / binsPerValue, 0);
}

/** The ranges without a summary, as far as the page goes: until this time (epoch milliseconds). */
export function unknownIn(ranges: readonly SummaryRange[], until: number): SummaryRange[] {
  return withoutSummary(ranges).filter(({ from }) => from < until);
}
