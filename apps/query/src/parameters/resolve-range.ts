import { Problem } from '@engawa/errors';
import { resolveTime } from '@engawa/http';
import { earliestInstant } from '@engawa/keys';
import type { FieldError } from '@engawa/errors';
import type { ParsedTime, TimeContext } from '@engawa/http';
import type { TimeRange } from '../time-range.ts';

const dayMs = 86_400_000;
const usualRangeMs = dayMs;
export const maxRangeDays = 366;
/** Buckets of a longer range are computed from rollups, page by page. */
export const maxAggregatedDays = 3660;

interface GivenRange {
  from?: ParsedTime | undefined;
  to?: ParsedTime | undefined;
}

/**
 * The requested range in epoch milliseconds; by default until now, and from 24 hours before its
 * end.
 * @throws Problem `invalid-request` naming both ends
 */
export function resolveRange(
  given: GivenRange,
  context: TimeContext,
  maxDays = maxRangeDays,
): TimeRange {
  const to = resolveTime(given.to ?? context.now, context, 'query.to');
  const usualFrom = Math.max(earliestInstant, to - usualRangeMs);
  const from = resolveTime(given.from ?? usualFrom, context, 'query.from');
  if (from > to) {
    throw refusal(given, { from, to }, [
      { path: 'query.from', message: 'must not be after query.to' },
      { path: 'query.to', message: 'must not be before query.from' },
    ]);
  }
  if (to - from > maxDays * dayMs) {
    const message = `must be at most ${maxDays} days`;
    throw refusal(given, { from, to }, [
      { path: 'query.from', message: `${message} before query.to` },
      { path: 'query.to', message: `${message} after query.from` },
    ]);
  }
  return { from, to };
}

function refusal(
  given: GivenRange,
  range: TimeRange,
  faults: [FieldError, ...FieldError[]],
): Problem {
  const [from, to] = [range.from, range.to].map((time) => new Date(time).toISOString());
  const now = given.to === undefined ? ' (now, since it was not given)' : '';
  const [first] = faults;
  const sentence = `${first.path} ${first.message}`;
  return new Problem(
    'invalid-request',
    `${sentence}: query.from is ${from}, query.to is ${to}${now}.`,
    {
      fieldErrors: faults,
    },
  );
}
