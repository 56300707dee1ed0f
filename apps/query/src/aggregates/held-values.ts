import { maxHoldMs } from '@engawa/model';
import type { HeldValues, Summary } from '@engawa/model';
import type { LastValues } from './increases.ts';

/** How long the values of fields lasted in a bucket. */
export interface HeldFields {
  /** Undefined where a rollup does not have it. */
  byField: Map<string, HeldValues | undefined>;
  /** Whether readings between two values may have expired. */
  isUncertain: boolean;
}

/**
 * The lasting values per field and bucket, from the last value before each bucket on.
 * @param edges epoch milliseconds: the boundaries of the buckets
 */
export function heldValuesOf(
  summaries: readonly Summary[],
  {
    edges,
    names,
    before,
  }: { edges: readonly number[]; names: ReadonlySet<string>; before: LastValues },
): HeldFields[] {
  const last = new Map(before.values);
  let { expiredUntil } = before;
  return summaries.map((summary, index) => {
    const [from = 0, to = 0] = [edges[index], edges[index + 1]];
    const byField = new Map<string, HeldValues | undefined>();
    let isUncertain = false;
    for (const [name, field] of summary.fields) {
      if (!names.has(name)) continue;
      const known = last.get(name);
      // An older value does not last into the bucket.
      isUncertain ||= expiredUntil > Math.max(known?.time ?? -Infinity, from - maxHoldMs);
      byField.set(name, field.heldWithin({ from, to }, known));
      last.set(name, field.last);
    }
    expiredUntil = Math.max(expiredUntil, summary.expiredUntil);
    return { byField, isUncertain };
  });
}
