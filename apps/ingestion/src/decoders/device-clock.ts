import { parseTime } from '@engawa/model';

/**
 * Times before this are from clocks that were never set (Tasmota's `START_VALID_TIME`). Until a device knows the time,
 * it counts from 1970, or from the start time of its clock chip, often 2000.
 */
const firstSetTime = Date.UTC(2016, 0, 1);

/** The time given by a device; `undefined` if its clock is not set: then the time of receipt is used. */
export function timeOfSetClock(time: unknown): unknown {
  // Most times are texts of a later year: the check of the reading parses them.
  if (typeof time === 'string' && time[4] === '-' && time >= '2017') return time;
  const isTime = typeof time === 'string' || typeof time === 'number';
  const milliseconds = isTime ? parseTime(time) : undefined;
  return milliseconds !== undefined && milliseconds < firstSetTime ? undefined : time;
}
