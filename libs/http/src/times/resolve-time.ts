import { Problem } from '@engawa/errors';
import { earliestInstant, latestInstant } from '@engawa/keys';
import { midnightOf, momentOf } from './local-time.ts';
import type { GivenTime } from './time-parameter.ts';

/** What relative times are relative to: the moment of the request (epoch milliseconds), and by whose clocks dates and local times are. */
export interface TimeContext {
  now: number;
  timeZone: string;
}

/**
 * Epoch milliseconds of the time in a parameter.
 * @param path of the parameter, as in `query.from`
 * @throws Problem `invalid-request` for what is outside of the years 0000 to 9999
 */
export function resolveTime(
  given: GivenTime,
  { now, timeZone }: TimeContext,
  path: string,
): number {
  const time = epochOf(given, now, timeZone);
  if (time >= earliestInstant && time <= latestInstant) return time;
  const message = 'must be within the years 0000 to 9999';
  throw new Problem('invalid-request', `${path} ${message}.`, { fieldErrors: [{ path, message }] });
}

function epochOf(given: GivenTime, now: number, timeZone: string): number {
  if (typeof given === 'number') return given;
  if ('beforeNowMs' in given) return now - given.beforeNowMs;
  return 'date' in given ? midnightOf(given.date, timeZone) : momentOf(given.local, timeZone);
}
