import { ExactSum, heldFor, maxHoldMs } from '@engawa/model';
import { bucketRange } from './bucket-range.ts';
import type { ExactNumber, FieldSummary, HeldValues, Summary } from '@engawa/model';
import type { TimeRange } from '../time-range.ts';
import type { LastValues } from './last-values.ts';

/** How long the values of fields lasted in a bucket. */
export interface HeldFields {
  /**
   * Fields with a value that lasts in the bucket, also without a reading in it; undefined where a rollup does not have
   * it.
   */
  byField: Map<string, HeldValues | undefined>;
  /** Fields without such a value: their last value, as if it still lasted. Empty where it was not requested. */
  kept: Map<string, HeldValues>;
  /** Whether a value before the bucket is unknown, or readings between two values may have expired. */
  isUncertain: boolean;
}

export interface HeldRequest {
  /** Epoch milliseconds: the boundaries of the buckets. */
  edges: readonly number[];
  /** By default all fields. */
  fields?: ReadonlySet<string> | undefined;
  before: LastValues;
  /** Epoch milliseconds: values are held until then at most. */
  now: number;
  /** The summary of the bucket that contains `now`, up to then; absent without such a bucket. */
  untilNow: Summary | undefined;
  keepsLast: boolean;
}

/** The lasting values per field and bucket, from the last value before each bucket on. */
export function heldValuesOf(
  summaries: readonly Summary[],
  { edges, fields, before, now, untilNow, keepsLast }: HeldRequest,
): HeldFields[] {
  const last = new Map([...before.values].filter(([name]) => fields?.has(name) !== false));
  let { expiredUntil } = before;
  return summaries.map((summary, index) => {
    const { from, to } = bucketRange(edges, index);
    const until = Math.min(to, now);
    const counted = from < now && now < to ? (untilNow ?? summary) : summary;
    const held: HeldFields = { byField: new Map(), kept: new Map(), isUncertain: false };
    const isLost = (name: string) => {
      // An older value does not last into the bucket.
      return expiredUntil > Math.max(last.get(name)?.time ?? -Infinity, from - maxHoldMs);
    };
    const names = new Set([...last.keys(), ...summary.fields.keys(), ...(fields ?? [])]);
    for (const name of names) {
      if (fields?.has(name) === false) continue;
      const [field, known] = [counted.fields.get(name), last.get(name)];
      const within = until > from ? heldIn({ from, to: until }, field, known) : noneHeld();
      if (within === undefined || within.heldMs > 0) held.byField.set(name, within);
      if (until > from) held.isUncertain ||= isLost(name);
      const latest = summary.fields.get(name)?.last;
      if (latest !== undefined) last.set(name, latest);
      if (!keepsLast || held.byField.has(name)) continue;
      const { value, time = -Infinity } = last.get(name) ?? {};
      if (value !== undefined) held.kept.set(name, heldFor(value, to - from));
      held.isUncertain ||= expiredUntil > time || (value === undefined && before.unknown.has(name));
    }
    // Further fields may have had a value that lasts.
    if (fields === undefined && until > from) held.isUncertain ||= expiredUntil > from - maxHoldMs;
    expiredUntil = Math.max(expiredUntil, summary.expiredUntil);
    return held;
  });
}

function heldIn(
  range: TimeRange,
  field: FieldSummary | undefined,
  known: { time: number; value: ExactNumber } | undefined,
): HeldValues | undefined {
  if (field !== undefined) return field.heldWithin(range, known);
  if (known === undefined) return noneHeld();
  return heldFor(known.value, Math.min(range.to, known.time + maxHoldMs) - range.from);
}

function noneHeld(): HeldValues {
  return { area: new ExactSum(), heldMs: 0 };
}
