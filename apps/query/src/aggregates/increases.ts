import type { CounterRules, ExactSum, ResetMarks, Summary } from '@engawa/model';
import type { LastValues } from './last-values.ts';

/** The increases of counters in a bucket. */
export interface Increases {
  /** Undefined where the field falls too often to be a counter. */
  byField: Map<string, ExactSum | undefined>;
  /** Whether an older value is unknown, or readings between two values may have expired. */
  isUncertain: boolean;
}

/** The increase of each field in each bucket, from the last value before the bucket on. */
export function increasesOf(
  summaries: readonly Summary[],
  request: {
    names: ReadonlySet<string>;
    before: LastValues;
    rules: CounterRules;
    isReset: ResetMarks;
  },
): Increases[] {
  const { names, before, rules, isReset } = request;
  const last = new Map(before.values);
  let { expiredUntil } = before;
  return summaries.map((summary) => {
    const byField = new Map<string, ExactSum | undefined>();
    let isUncertain = false;
    for (const [name, field] of summary.fields) {
      if (!names.has(name)) continue;
      const { value, time = -Infinity } = last.get(name) ?? {};
      isUncertain ||= expiredUntil > time || (value === undefined && before.unknown.has(name));
      byField.set(name, field.increase(value, rules, isReset(name, time, field.first.time)));
      last.set(name, field.last);
    }
    expiredUntil = Math.max(expiredUntil, summary.expiredUntil);
    return { byField, isUncertain };
  });
}
