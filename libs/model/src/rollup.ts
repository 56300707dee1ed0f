import { parseKey, rollupKey } from '@engawa/keys';
import { keyOf } from './place.ts';
import { decodeSummary, encodeSummary } from './summary.ts';
import type { Document } from './item-size.ts';
import type { Summary } from './summary.ts';

/** Milliseconds of each width that readings are rolled up to; buckets begin at UTC's hours and days. */
export const rollupWidths = { PT1H: 3_600_000, P1D: 86_400_000 } as const;
export type RollupWidth = keyof typeof rollupWidths;

export interface Bucket {
  width: RollupWidth;
  /** Epoch milliseconds. */
  start: number;
}

/** Milliseconds after its end from which a bucket may be rolled up; what comes later is late. */
export const rollupGraceMs = 600_000;
/** Milliseconds by which the clocks of who stores and who rolls up may differ. */
const clockTolerance = 60_000;

/**
 * The buckets of these times (epoch milliseconds) that somebody may have rolled up by `now`. Ask after the readings are
 * durable: then whoever rolls up later sees them, and whoever did so earlier finds the bucket closed here, too.
 */
export function closedBuckets(times: readonly number[], now: number): Bucket[] {
  const closedBefore = now - rollupGraceMs + clockTolerance;
  return (Object.keys(rollupWidths) as RollupWidth[]).flatMap((width) => {
    const starts = new Set(times.map((time) => bucketStart(time, width)));
    const closed = [...starts].filter((start) => start + rollupWidths[width] <= closedBefore);
    return closed.map((start) => ({ width, start }));
  });
}

/**
 * A rollup without values: what there was is not valid any more. Whoever rolls up reads the version before the readings and
 * writes the values only if it is still the same, so each must be unlike any before.
 */
export function invalidRollupItem(device: string, bucket: Bucket, version: string): Document {
  return { ...rollupKey(device, bucket.width, bucket.start), version };
}

/**
 * How the values of a rollup were worked out. 3: with the area of each field. 2: of each field the values of one moment upwards. Without one: in the order of
 * their JSON text.
 */
export const rollupFormat = 3;

/** What the table has of a bucket. */
export interface Rollup extends Bucket {
  /** Of the invalidation before it; without one, it has never been made invalid. */
  version?: string | undefined;
  /** Absent while it is not valid. */
  summary?: Summary | undefined;
  /** Whether the values are of an earlier format: they count only where the readings have expired. */
  isOutdated?: boolean;
  /** Names the corrections that the values were made with; absent where none touches the bucket (docs/adr/0048). */
  corrections?: string | undefined;
}

/** Whether a bucket can be rolled up by `now` (epoch milliseconds): what comes later makes it invalid. */
export function isClosed({ width, start }: Bucket, now: number): boolean {
  return start + rollupWidths[width] + rollupGraceMs <= now;
}

export function rollupItem(
  device: string,
  { width, start, version, summary, corrections }: Rollup & { summary: Summary },
): Document {
  return {
    ...rollupKey(device, width, start),
    values: encodeSummary(summary, start),
    format: rollupFormat,
    ...(version !== undefined && { version }),
    ...(corrections !== undefined && { corrections }),
  };
}

/** @throws TypeError when the item is not a rollup */
export function parseRollup(item: Document): Rollup {
  const key = parseKey(keyOf(item));
  if (key.item !== 'rollup') throw new TypeError(`not a rollup: ${key.item}`);
  const { start } = key;
  const { version, values, format, corrections } = item;
  return {
    width: key.width as RollupWidth,
    start,
    ...(typeof version === 'string' && { version }),
    ...(typeof values === 'string' && {
      summary: decodeSummary(values, start),
      isOutdated: Number(format) !== rollupFormat,
      ...(typeof corrections === 'string' && { corrections }),
    }),
  };
}

/** The start of the hour or day (UTC) that a time is in; of times before 1970, too. */
export function bucketStart(time: number, width: RollupWidth): number {
  return time - modulo(time, rollupWidths[width]);
}

/** Of times before 1970, too. */
function modulo(time: number, width: number): number {
  return ((time % width) + width) % width;
}
