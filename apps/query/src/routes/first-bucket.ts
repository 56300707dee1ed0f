import { Problem } from '@engawa/errors';
import { bucketEdges, hasFourDigitYear } from '../aggregates/calendar.ts';
import { maxAggregatedDays, resolveRange } from '../parameters/resolve-range.ts';
import type { AggregatesQuery, BucketStart } from './aggregates-query.ts';

/**
 * The first bucket of a request.
 * @throws Problem `invalid-request` for an invalid range, one outside of the years 0000 to 9999 in local time, or one
 * of more years than `maxPoints`
 */
export function firstBucket(query: AggregatesQuery, now: number): BucketStart {
  const { from, to, timeZone, maxPoints } = query;
  const range = resolveRange({ from, to }, { now, timeZone }, maxAggregatedDays);
  const ends = { from: range.from, to: Math.max(range.from, range.to - 1) };
  for (const [name, time] of Object.entries(ends)) {
    if (!hasFourDigitYear(time, timeZone)) {
      throw refusal(`query.${name}`, `must be within the years 0000 to 9999 in ${timeZone}`);
    }
  }
  if (maxPoints !== undefined) {
    const years = bucketEdges({ ...range, every: 'P1Y', timeZone, limit: maxPoints + 1 });
    if (years.length > maxPoints + 1) {
      throw refusal('query.maxPoints', 'must be at least the number of years in the range');
    }
  }
  return { ...range, start: range.from };
}

function refusal(path: string, message: string): Problem {
  return new Problem('invalid-request', `${path} ${message}.`, {
    fieldErrors: [{ path, message }],
  });
}
