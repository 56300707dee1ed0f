import { parseTime } from '@engawa/model';
import { Temporal } from 'temporal-polyfill';

const localTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?$/;
/** Offsets of time zones change only at whole quarters of an hour. */
const quarterMs = 900_000;

/**
 * Reads local times of a time zone that have no offset: returns epoch milliseconds, or the text itself if it is no such
 * time. Of an hour that occurs twice the first is taken; an hour that is skipped is read with the offset before it (RFC
 * 5545, 3.3.5; "compatible" in Temporal).
 * @throws RangeError when the time zone does not exist
 */
export function zonedClock(timeZone: string): (text: string) => unknown {
  // Temporal does not know names that ICU adds to the IANA database, such as JST.
  const zone = new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone;
  // With Temporal a time takes 24 µs, with the cached offset 2 µs.
  let cached = { quarter: Number.NaN, offsetMs: 0 };
  return (text) => {
    const shown = localTime.test(text) ? parseTime(`${text}Z`) : undefined;
    if (shown === undefined) return text;
    const quarter = Math.floor(shown / quarterMs);
    if (cached.quarter !== quarter) {
      cached = { quarter, offsetMs: offsetMsAt(quarter * quarterMs, zone) };
    }
    return shown - cached.offsetMs;
  };
}

/** @param shown the local time, as epoch milliseconds of the same time in UTC */
function offsetMsAt(shown: number, timeZone: string): number {
  const local = Temporal.Instant.fromEpochMilliseconds(shown).toZonedDateTimeISO('UTC');
  const zoned = local.toPlainDateTime().toZonedDateTime(timeZone, { disambiguation: 'compatible' });
  return shown - zoned.epochMilliseconds;
}
