import { maxHoldMs } from '@engawa/model';
import type { HeldValues, Summary } from '@engawa/model';
import type { LastValues } from './increases.ts';

/** For how long the values of fields held in a bucket. */
export interface HeldFields {
  /** Undefined where a rollup does not tell. */
  byField: Map<string, HeldValues | undefined>;
  /** Whether readings between a value and the one before it may have expired. */
  isUncertain: boolean;
}

/**
 * Each field of these names in each bucket, from the last value that was reported before it.
 * @param edges epoch milliseconds: where the buckets begin and end
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
      // Of what is longer ago nothing holds on in the bucket.
      isUncertain ||= expiredUntil > Math.max(known?.time ?? -Infinity, from - maxHoldMs);
      byField.set(name, field.heldWithin({ from, to }, known));
      last.set(name, field.last);
    }
    expiredUntil = Math.max(expiredUntil, summary.expiredUntil);
    return { byField, isUncertain };
  });
}
