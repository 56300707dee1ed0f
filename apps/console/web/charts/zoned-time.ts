/** A date and time without a zone: `2026-11-20T08:30`, the form of `<input type="datetime-local">`. */
export type LocalTime = string;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(timeZone, format);
  return format;
}

/** The local time as if it were UTC, in epoch milliseconds. */
function localMs(instant: number, timeZone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(instant)) {
    parts[type] = Number(value);
  }
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const ms = ((instant % 1000) + 1000) % 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second) + ms;
}

/** @param instant epoch milliseconds */
export function localTimeOf(instant: number, timeZone: string): LocalTime {
  return new Date(localMs(instant, timeZone)).toISOString().slice(0, 16);
}

/**
 * The instant of a local time, as the services read it: a skipped time has the offset before the change, a time that
 * occurs twice is the first (RFC 5545). undefined where the text is no date and time.
 */
export function instantOf(local: LocalTime, timeZone: string): number | undefined {
  const wanted = Date.parse(`${local}Z`);
  if (Number.isNaN(wanted)) return undefined;
  return instantOfMs(wanted, timeZone);
}

const dayMs = 86_400_000;

function instantOfMs(wanted: number, timeZone: string): number {
  const offsetAt = (instant: number): number => localMs(instant, timeZone) - instant;
  const before = wanted - offsetAt(wanted - dayMs);
  const after = wanted - offsetAt(wanted + dayMs);
  const fitting = [before, after].filter((instant) => localMs(instant, timeZone) === wanted);
  return fitting.length > 0 ? Math.min(...fitting) : before;
}

/** The same local time some days before. A day on which the clocks change has 23 or 25 hours. */
export function daysBefore(instant: number, days: number, timeZone: string): number {
  return instantOfMs(localMs(instant, timeZone) - days * dayMs, timeZone);
}
