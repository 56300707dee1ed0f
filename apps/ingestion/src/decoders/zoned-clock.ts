import { parseTime } from '@engawa/model';

const localTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?$/;
const dayMs = 86_400_000;
/** Offsets of zones change at whole quarters of an hour. */
const quarterMs = 900_000;

/**
 * Reads times that a clock in the zone shows without saying its offset: epoch milliseconds, or the text itself where it is
 * no such time. An hour that comes twice is taken for the first one, an hour that is left out as if it were not (RFC 5545,
 * 3.3.5, and Temporal's "compatible").
 * @throws RangeError when there is no such time zone
 */
export function zonedClock(timeZone: string): (text: string) => unknown {
  const offsetAt = offsets(timeZone);
  let latest = { quarterMs: Number.NaN, offset: 0 };
  return (text) => {
    const shown = localTime.test(text) ? parseTime(`${text}Z`) : undefined;
    if (shown === undefined) return text;
    const current = Math.floor(shown / quarterMs);
    if (latest.quarterMs !== current)
      latest = { quarterMs: current, offset: offsetOf(shown, offsetAt) };
    return shown - latest.offset;
  };
}

/** What is to be taken off a time shown by the clock, both in milliseconds. */
function offsetOf(shown: number, offsetAt: (instant: number) => number): number {
  const before = offsetAt(shown - dayMs);
  const after = offsetAt(shown + dayMs);
  // The larger offset is the earlier of two instants.
  const largestFirst = before > after ? [before, after] : [after, before];
  return largestFirst.find((offset) => offsetAt(shown - offset) === offset) ?? before;
}

function offsets(timeZone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    const part = (name: Intl.DateTimeFormatPartTypes) => Number(parts.get(name));
    const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
    const shown = new Date(0);
    shown.setUTCFullYear(year, part('month') - 1, part('day'));
    shown.setUTCHours(part('hour'), part('minute'), part('second'));
    return shown.getTime() - Math.floor(instant / 1000) * 1000;
  };
}
