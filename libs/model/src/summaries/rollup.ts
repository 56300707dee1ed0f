import { rollupBucket, rollupKey } from '@engawa/keys';
import { partedItems, textsOf } from '../values/parted-items.ts';
import { keyOf } from '../places/place.ts';
import { decodeSummary, encodeSummary } from './summary.ts';
import type { Document } from '../values/item-size.ts';
import type { Summary } from './summary.ts';

/** Widths of rollups in milliseconds; buckets begin at the hours and days of UTC. */
export const rollupWidths = { PT1H: 3_600_000, P1D: 86_400_000 } as const;
export type RollupWidth = keyof typeof rollupWidths;

export interface Bucket {
  width: RollupWidth;
  /** Epoch milliseconds. */
  start: number;
}

/** Delay after the end of a bucket until it may be rolled up; later readings make the rollup invalid. */
export const rollupGraceMs = 600_000;
/** Assumed maximum difference between the clocks of the processes that store readings and make rollups. */
const clockToleranceMs = 60_000;

/**
 * The buckets of these times (epoch milliseconds) that may have been rolled up by `now`. Call it
 * after the readings are durable: a later rollup sees them, and for an earlier one the bucket is in
 * this list.
 */
export function closedBuckets(times: readonly number[], now: number): Bucket[] {
  const closedBefore = endOfClosed(now);
  return (Object.keys(rollupWidths) as RollupWidth[]).flatMap((width) => {
    const starts = new Set(times.map((time) => bucketStart(time, width)));
    const closed = [...starts].filter((start) => start + rollupWidths[width] <= closedBefore);
    return closed.map((start) => ({ width, start }));
  });
}

/**
 * The earliest time (epoch milliseconds) whose buckets cannot have been rolled up by `now`: `closedBuckets` has none of
 * this time and of later ones. The hour is sufficient, since the day of an open hour is open.
 */
export function openBucketsFrom(now: number): number {
  return bucketStart(endOfClosed(now), 'PT1H');
}

/** A bucket that ends by this time may have been rolled up. */
function endOfClosed(now: number): number {
  return now - rollupGraceMs + clockToleranceMs;
}

/**
 * A rollup without values, which invalidates earlier ones. A process that makes the rollup reads
 * the version before the readings and writes values only if the version is unchanged, so each
 * version must be unique.
 */
export function invalidRollupItem(device: string, bucket: Bucket, version: string): Document {
  return { ...rollupKey(device, bucket.width, bucket.start), version };
}

/**
 * Version of the values' format. 3: with the area of each field. 2: values of one moment in
 * ascending order. Absent: in the order of their JSON text.
 */
export const rollupFormat = 3;

/** A stored rollup. */
export interface Rollup extends Bucket {
  /** Version of the last invalidation; absent if the rollup was never invalidated. */
  version?: string | undefined;
  /** Absent while the rollup is invalid. */
  summary?: Summary | undefined;
  /** Whether the values have an earlier format: they are used only where the readings have expired. */
  isOutdated?: boolean;
  /** Identifies the corrections that were applied; absent where none concerns the bucket (docs/adr/0048). */
  corrections?: string | undefined;
}

/** Whether a bucket can be rolled up at `now` (epoch milliseconds); later readings invalidate the rollup. */
export function isClosed({ width, start }: Bucket, now: number): boolean {
  return start + rollupWidths[width] + rollupGraceMs <= now;
}

/** Attributes that are equal in all items of a rollup. */
const common = ['format', 'version', 'corrections'] as const;

/** Its item; for a device with very many fields, also further ones with parts of its values. */
export function rollupItems(
  device: string,
  { width, start, version, summary, corrections }: Rollup & { summary: Summary },
): [first: Document, ...parts: Document[]] {
  const { withoutNumbers } = summary;
  const [first, ...parts] = partedItems(device, { width, start }, encodeSummary(summary, start), {
    format: rollupFormat,
    ...(version !== undefined && { version }),
    ...(corrections !== undefined && { corrections }),
  });
  if (withoutNumbers.length > 0) first['others'] = JSON.stringify(withoutNumbers);
  return [first, ...parts];
}

/**
 * @param parts other items with its values, where it has `partsOf`
 * @throws TypeError when the item is not a rollup
 */
export function parseRollup(item: Document, parts: readonly (Document | undefined)[] = []): Rollup {
  const { sk } = keyOf(item);
  const bucket = rollupBucket(sk);
  if (bucket === undefined) throw new TypeError(`not a rollup: ${sk}`);
  const { width, start } = bucket;
  const { version, format, corrections, others } = item;
  const rollup: Rollup = { width: width as RollupWidth, start };
  if (typeof version === 'string') rollup.version = version;
  const texts = textsOf(item, parts, common);
  if (texts === undefined) return rollup;
  // Rollups of 0.2 do not have it.
  const names = typeof others === 'string' ? others : '[]';
  rollup.summary = decodeSummary(texts, start, JSON.parse(names) as string[]);
  rollup.isOutdated = Number(format) !== rollupFormat;
  if (typeof corrections === 'string') rollup.corrections = corrections;
  return rollup;
}

/** The start of the hour or day (UTC) that contains a time, also before 1970. */
export function bucketStart(time: number, width: RollupWidth): number {
  return time - modulo(time, rollupWidths[width]);
}

/** Never negative, unlike `%`, for times before 1970. */
function modulo(time: number, width: number): number {
  return ((time % width) + width) % width;
}
