import { Problem } from '@engawa/errors';
import { resolveTime } from '@engawa/http';
import { earliestInstant } from '@engawa/keys';
import type { FieldError } from '@engawa/errors';
import type { GivenTime, TimeContext } from '@engawa/http';
import type { TimeRange } from '../readings/merge-blocks.ts';

const dayMs = 86_400_000;
const usualRangeMs = dayMs;
export const longestRangeDays = 366;

interface GivenRange {
  from?: GivenTime | undefined;
  to?: GivenTime | undefined;
}

/**
 * The range that is meant, in epoch milliseconds; where an end of it is not given: until now, the 24 hours before.
 * @throws Problem `invalid-request` naming both ends
 */
export function resolveRange(given: GivenRange, context: TimeContext): TimeRange {
  const to = resolveTime(given.to ?? context.now, context, 'query.to');
  const usualFrom = Math.max(earliestInstant, to - usualRangeMs);
  const from = resolveTime(given.from ?? usualFrom, context, 'query.from');
  if (from > to) {
    throw refusal(given, { from, to }, [
      { path: 'query.from', message: 'must not be after query.to' },
      { path: 'query.to', message: 'must not be before query.from' },
    ]);
  }
  if (to - from > longestRangeDays * dayMs) {
    const message = `must be at most ${longestRangeDays} days`;
    throw refusal(given, { from, to }, [
      { path: 'query.from', message: `${message} before query.to` },
      { path: 'query.to', message: `${message} after query.from` },
    ]);
  }
  return { from, to };
}

function refusal(given: GivenRange, range: TimeRange, faults: FieldError[]): Problem {
  const [from, to] = [range.from, range.to].map((time) => new Date(time).toISOString());
  const now = given.to === undefined ? ' (now, since it was not given)' : '';
  const [first] = faults;
  const sentence = `${first?.path ?? ''} ${first?.message ?? ''}`;
  return new Problem('invalid-request', `${sentence}: it is ${from}, query.to is ${to}${now}.`, {
    faults,
  });
}
