import { parseTime } from '@engawa/model';

/**
 * A clock that was ever set shows a later time: Tasmota's `START_VALID_TIME`. Until it hears of the time, a device counts from
 * 1970, or from what its clock chip was made with, often 2000.
 */
const firstSetTime = Date.UTC(2016, 0, 1);

/** The time that a device gives, or `undefined` while its clock is not set, so that the time of receipt is taken. */
export function timeOfSetClock(time: unknown): unknown {
  const isTime = typeof time === 'string' || typeof time === 'number';
  const milliseconds = isTime ? parseTime(time) : undefined;
  return milliseconds !== undefined && milliseconds < firstSetTime ? undefined : time;
}
