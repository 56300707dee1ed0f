import { relativeTime, resolveTime } from '@engawa/http';
import { isPeriod, periodOf } from '@engawa/keys';
import { invalidQuery } from '../../values/invalid-request.ts';
import type { RankingDefinition } from '@engawa/model';

const path = 'query.period';
const examples = {
  P1D: 'a day such as 2026-11-29',
  P1W: 'an ISO week such as 2026-W48',
  P1M: 'a month such as 2026-11',
};

/**
 * The period of a request: the named one, the one of a time such as `now-1w`, or the current one; undefined for a
 * ranking without periods.
 * @param now epoch milliseconds of the first page
 * @throws Problem `invalid-request` for a text of another form, or where no period is allowed
 */
export function askedPeriod(
  { name, period }: RankingDefinition,
  text: string | undefined,
  now: () => number,
): string | undefined {
  if (period === undefined) {
    if (text === undefined) return undefined;
    throw invalidQuery([
      { path, message: `must not be given: the ranking ${name} has no periods` },
    ]);
  }
  const { length } = period;
  if (text !== undefined && isPeriod(length, text)) return text;
  const time = relativeTime(text ?? 'now');
  if (time !== undefined) {
    return periodOf(length, resolveTime(time, { now: now(), timeZone: 'UTC' }, path));
  }
  throw invalidQuery([{ path, message: `must be ${examples[length]}, or now, now-1w` }]);
}
