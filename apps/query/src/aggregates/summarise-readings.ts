import { setImmediate as nextTurn } from 'node:timers/promises';
import { deviceKey } from '@engawa/keys';
import { parseDevice, unlessDeleted } from '@engawa/model';
import pMap from 'p-map';
import { unitsOfDevice } from '../devices/device-store.ts';
import { Gathering } from './gathering.ts';
import { chunksOfParts, readingParts } from './reading-parts.ts';
import { readingSlices } from './reading-slices.ts';
import { expiredBefore, expiredBeforeBlocks } from './retention.ts';
import { sizeOf } from './summaries-context.ts';
import { hasFields, isWithin } from './summary-ranges.ts';
import type { Summary } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { TimeRange } from '../time-range.ts';
import type { ReadingChunk } from './scan-readings.ts';
import type { OpenBuckets, SummariesContext } from './summaries-context.ts';
import type { SummaryRange } from './summary-ranges.ts';

export interface SummariseReadingsOptions extends SummariesContext {
  table: Pick<Table, 'get' | 'query'>;
  /** Buckets that can be stored: a page may end without a bucket once one of them has readings. */
  open: OpenBuckets;
}

export interface SummarisedReadings {
  /** Epoch milliseconds: readings from before this may have expired. */
  expiredBefore: number;
  /** Whether there is no such device, or it is being purged: a rollup would remain of it. */
  isDeleted: boolean;
  /** Why not all ranges could be read: a failure, or a cancelled request. */
  failure: { error: unknown } | undefined;
}

/** What the parts found so far. */
interface Found {
  /** Number of values in the summarised parts of the range, by the beginning of each. */
  values: Map<number, number>;
  /** Retention of the blocks that were read, in milliseconds; Infinity without expiry. */
  retentions: number[];
}

const maxConcurrentParts = 4;

/**
 * Sets the summaries of the ranges by their readings, from the first on, as far as the page goes. After a failure, the
 * ranges that were complete before it have theirs.
 */
export async function summariseReadings(
  options: SummariseReadingsOptions,
  ranges: readonly SummaryRange[],
): Promise<SummarisedReadings> {
  const { table, now, corrections, budget, signal } = options;
  if (ranges.length === 0) return { expiredBefore: Infinity, isDeleted: false, failure: undefined };
  // Read after the versions of the rollups: ingestion raises the span before it invalidates a
  // rollup, and stores to shards that were known before. Anything stored from now on changes the
  // version, however long this read takes.
  budget.charge(unitsOfDevice);
  const key = deviceKey(options.device);
  const item = unlessDeleted(await table.get(key, { consistent: true, signal }));
  const device = item && parseDevice(item);
  const found: Found = { values: new Map(), retentions: [] };
  const expiry = { table, device, ranges, now, budget, signal, retentions: found.retentions };
  const isDeleted = device === undefined;
  try {
    const parts = readingParts(ranges);
    const scan = { table, now, budget, signal, overlay: corrections.counted };
    const chunksOf = device && (await chunksOfParts(parts, { ...scan, device }));
    const read = (part: TimeRange) =>
      summarisePart(options, { part, chunks: chunksOf?.(part), ranges, found });
    await pMap(parts, read, { concurrency: maxConcurrentParts });
  } catch (error) {
    return { expiredBefore: expiredBefore(expiry), isDeleted, failure: { error } };
  }
  const before =
    found.retentions.length === 0 ? await expiredBeforeBlocks(expiry) : expiredBefore(expiry);
  return { expiredBefore: before, isDeleted, failure: undefined };
}

interface Part {
  part: TimeRange;
  /** The readings of the part; none where there is no such device. */
  chunks: AsyncIterable<ReadingChunk> | undefined;
  ranges: readonly SummaryRange[];
  found: Found;
}

async function summarisePart(
  options: SummariseReadingsOptions,
  { part, chunks, ranges, found }: Part,
): Promise<void> {
  const { budget, atLeastUntil, maxValues, open, progress, corrections } = options;
  const { retentions, values } = found;
  const mayStop = (reached: number) =>
    budget.isSpent && (reached >= atLeastUntil || progress.mayStop);
  const isEnough = (reached: number) =>
    reached >= atLeastUntil && hasEnoughValues(values, part.from, maxValues);
  if (mayStop(part.from) || isEnough(part.from)) return;
  const count = (summary: Summary, { to }: TimeRange) => {
    const more = to > atLeastUntil ? sizeOf(summary) : 0;
    values.set(part.from, (values.get(part.from) ?? 0) + more);
    return isEnough(to);
  };
  const inside = ranges.filter((range) => isWithin(range, part));
  const gathering = new Gathering(inside, { ...options, isReset: corrections.isReset, count });
  for await (const chunk of chunks ?? []) {
    if (chunk.retention !== undefined) retentions.push(chunk.retention);
    for (const slice of readingSlices(chunk.readings)) {
      gathering.add(slice);
      if (slice.length < chunk.readings.length) await nextTurn();
    }
    progress.isUnderWay ||= inside.some((range) => open.has(range) && hasFields(range));
    if (gathering.isEnough || mayStop(chunk.readings.at(-1)?.time ?? part.from)) return;
  }
  gathering.end();
}

/** Whether the values of this part and of the parts before it are enough for the page. */
function hasEnoughValues(
  values: ReadonlyMap<number, number>,
  part: number,
  maxValues = Infinity,
): boolean {
  const upTo = [...values].filter(([from]) => from <= part);
  return upTo.reduce((sum, [, count]) => sum + count, 0) >= maxValues;
}
