import { plainValue } from './exact.ts';
import type { PlainBucket } from './plain-bucket.ts';

/** The error that percentiles may have, as a part of the value. */
const relativeError = 0.01 + 1e-9;

type BucketFields = PlainBucket['fields'];

/**
 * The expected values, with the given percentiles in place of those that they may stand for: within
 * the stated error, or null where readings may have expired. A value that is filled in between two
 * others is as far off as these.
 */
export function withNearPercentiles(
  given: BucketFields,
  bucket: PlainBucket,
  { all, isBetween }: { all: readonly PlainBucket[]; isBetween: boolean },
): BucketFields {
  const results = Object.entries(bucket.fields).map(([field, values]) => {
    const own = Object.entries(values).map(([name, expected]) => {
      const value = given[field]?.[name];
      if (!/^p\d\d$/.test(name) || value === undefined) return [name, expected];
      const scale = isBetween ? all.map(({ fields }) => fields[field]?.[name]) : [expected];
      const isNear =
        value === null
          ? bucket.mayBeIncomplete || expected === null
          : expected !== null && distance(value, expected) <= relativeError * greatest(scale);
      return [name, isNear ? value : expected];
    });
    return [field, Object.fromEntries(own) as Record<string, string | null>];
  });
  return Object.fromEntries(results) as BucketFields;
}

function distance(left: string, right: string): number {
  return Math.abs(plainValue(left) - plainValue(right));
}

function greatest(values: readonly (string | null | undefined)[]): number {
  return Math.max(...values.map((text) => Math.abs(plainValue(text ?? '0r0'))));
}
