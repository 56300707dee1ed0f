import { quotient, scaled, spelled } from './exact.ts';
import type { BucketContent, PlainBucket } from './plain-bucket.ts';
import type { AggregatesRequest } from './requests.ts';

const quotients = ['avg', 'rate', 'timeWeightedMean'];
const amounts = ['sum', 'increase', 'rate'];

/** All buckets of a group, each with all fields that were asked for. */
export function plainFill(
  buckets: readonly PlainBucket[],
  { fill, fields, functions }: AggregatesRequest,
  beforeRange: ReadonlyMap<string, BucketContent>,
): PlainBucket[] {
  if (fill === 'none' || fields === undefined) return [...buckets];
  return buckets.map((bucket, index) => {
    const values = fields.map((field) => {
      const has = ({ reported }: PlainBucket) => reported.has(field);
      const own = Object.hasOwn(bucket.fields, field) ? bucket.fields[field] : {};
      if (has(bucket)) return [field, own ?? {}] as const;
      const previous = buckets.slice(0, index).findLast(has);
      const next = buckets.slice(index).find(has);
      const value = (name: string): string | null => {
        const of = (found: BucketContent | undefined) => found?.fields[field]?.[name] ?? null;
        if (own?.[name] !== undefined) return own[name] ?? null;
        if (!['null', 'previous', 'linear'].includes(fill)) return shown(name, fill);
        if (name === 'count') return shown(name, '0');
        if (fill === 'null') return null;
        if (amounts.includes(name)) return shown(name, '0');
        if (fill === 'previous' && name === 'timeWeightedMean')
          return bucket.kept.get(field) ?? null;
        if (fill === 'previous') return of(previous ?? beforeRange.get(field));
        const [left, right] = [of(previous), of(next)];
        if (left === null || right === null || !previous || !next) return null;
        const [before, after] = [bucket.from - previous.from, next.from - bucket.from];
        const sum = parsed(name, left) * BigInt(after) + parsed(name, right) * BigInt(before);
        return shown(name, String(quotient(sum, before + after)));
      };
      return [field, Object.fromEntries(functions.map((name) => [name, value(name)]))] as const;
    });
    return { ...bucket, fields: Object.fromEntries(values) };
  });
}

/** As buckets have it: the double of a quotient, all others to the digit. */
function shown(name: string, text: string): string {
  return quotients.includes(name) ? String(Number(text)) : spelled(scaled(text));
}

function parsed(name: string, text: string): bigint {
  if (quotients.includes(name)) return scaled(text);
  const [whole = '0', rest = '0'] = text.split('r');
  return BigInt(whole) * 10n ** 40n + BigInt(rest);
}
