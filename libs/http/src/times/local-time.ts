import { Temporal } from 'temporal-polyfill';

/**
 * Epoch milliseconds at which a date such as `2026-11-20` begins in a time zone; where midnight is
 * skipped, the first instant of the date.
 */
export function midnightOf(date: string, timeZone: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds;
}

/**
 * Epoch milliseconds of a local date and time such as `2026-11-20T08:30` in a time zone. Of a time
 * that occurs twice, the first one; a skipped time is interpreted with the offset before the change
 * (RFC 5545, 3.3.5): 02:30 becomes 03:30.
 */
export function instantOf(local: string, timeZone: string): number {
  return Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone, {
    disambiguation: 'compatible',
  }).epochMilliseconds;
}

/** Whether this is a time zone of the IANA database, or an offset such as `+09:00`. */
export function isTimeZone(name: string): boolean {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId.length > 0;
  } catch {
    return false;
  }
}
