import { rollupKey } from '@engawa/keys';
import type { Document } from './item-size.ts';

/** Milliseconds of each width that readings are rolled up to; buckets begin at UTC's hours and days. */
export const rollupWidths = { PT1H: 3_600_000, P1D: 86_400_000 } as const;
export type RollupWidth = keyof typeof rollupWidths;

export interface Bucket {
  width: RollupWidth;
  /** Epoch milliseconds. */
  start: number;
}

/** Milliseconds after its end from which a bucket may be rolled up; what comes later is late. */
export const rollupGrace = 600_000;
/** Milliseconds by which the clocks of who stores and who rolls up may differ. */
const clockTolerance = 60_000;

/**
 * The buckets of these times (epoch milliseconds) that somebody may have rolled up by `now`. Ask after the readings are
 * durable: then whoever rolls up later sees them, and whoever did so earlier finds the bucket closed here, too.
 */
export function closedBuckets(times: readonly number[], now: number): Bucket[] {
  const closedBefore = now - rollupGrace + clockTolerance;
  const widths = Object.entries(rollupWidths) as [RollupWidth, number][];
  return widths.flatMap(([width, milliseconds]) => {
    const starts = new Set(times.map((time) => time - modulo(time, milliseconds)));
    const closed = [...starts].filter((start) => start + milliseconds <= closedBefore);
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

/** Of times before 1970, too. */
function modulo(time: number, width: number): number {
  return ((time % width) + width) % width;
}
