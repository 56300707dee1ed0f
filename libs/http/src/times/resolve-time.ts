import { Problem } from '@engawa/errors';
import { earliestInstant, latestInstant } from '@engawa/keys';
import { midnightOf, instantOf } from './local-time.ts';
import type { ParsedTime } from './time-parameter.ts';

/** The time of the request (epoch milliseconds) for relative times, and the time zone of dates and local times. */
export interface TimeContext {
  now: number;
  timeZone: string;
}

/**
 * Converts the time in a parameter to epoch milliseconds.
 * @param path of the parameter, as in `query.from`
 * @throws Problem `invalid-request` for a time outside the years 0000 to 9999
 */
export function resolveTime(
  given: ParsedTime,
  { now, timeZone }: TimeContext,
  path: string,
): number {
  const time = epochOf(given, now, timeZone);
  if (time >= earliestInstant && time <= latestInstant) return time;
  const message = 'must be within the years 0000 to 9999';
  throw new Problem('invalid-request', `${path} ${message}.`, { fieldErrors: [{ path, message }] });
}

function epochOf(given: ParsedTime, now: number, timeZone: string): number {
  if (typeof given === 'number') return given;
  if ('afterNowMs' in given) return now + given.afterNowMs;
  return 'date' in given ? midnightOf(given.date, timeZone) : instantOf(given.local, timeZone);
}
