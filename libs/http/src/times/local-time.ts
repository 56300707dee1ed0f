import { Temporal } from 'temporal-polyfill';

/** Epoch milliseconds at which a date such as `2026-11-20` begins there: where the clocks skip midnight, when they do. */
export function midnightOf(date: string, timeZone: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds;
}

/**
 * Epoch milliseconds at which the clocks there show a date and time such as `2026-11-20T08:30`. A time that comes twice is the
 * first one, a time that is skipped is read as if the clocks had not changed yet (RFC 5545, 3.3.5): 02:30 is 03:30 then.
 */
export function momentOf(local: string, timeZone: string): number {
  return Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone, {
    disambiguation: 'compatible',
  }).epochMilliseconds;
}

/** Whether it is a name of the IANA time zone database, or an offset such as `+09:00`. */
export function isTimeZone(name: string): boolean {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId.length > 0;
  } catch {
    return false;
  }
}
