import { Temporal } from 'temporal-polyfill';

const secondMs = 1000;
const minuteMs = 60_000;

/** Widths up to an hour, in milliseconds: of constant length, and aligned to local time. */
const clockWidths = {
  PT1S: secondMs,
  PT2S: 2 * secondMs,
  PT5S: 5 * secondMs,
  PT10S: 10 * secondMs,
  PT15S: 15 * secondMs,
  PT20S: 20 * secondMs,
  PT30S: 30 * secondMs,
  PT1M: minuteMs,
  PT2M: 2 * minuteMs,
  PT5M: 5 * minuteMs,
  PT10M: 10 * minuteMs,
  PT15M: 15 * minuteMs,
  PT20M: 20 * minuteMs,
  PT30M: 30 * minuteMs,
  PT1H: 60 * minuteMs,
} as const;

interface CalendarWidth {
  /** The beginning of the bucket that contains this local time. */
  floor: (local: Temporal.PlainDateTime) => Temporal.PlainDateTime;
  step: Temporal.DurationLike;
}

const midnight = { hour: 0, minute: 0, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 };

function hours(count: number): CalendarWidth {
  return {
    floor: (local) => local.with({ ...midnight, hour: local.hour - (local.hour % count) }),
    step: { hours: count },
  };
}

/** Wider buckets follow the calendar: a day may have 23 hours, a month 28 days. */
const calendarWidths = {
  PT2H: hours(2),
  PT3H: hours(3),
  PT4H: hours(4),
  PT6H: hours(6),
  PT8H: hours(8),
  PT12H: hours(12),
  P1D: { floor: (local) => local.with(midnight), step: { days: 1 } },
  P1W: {
    floor: (local) => local.with(midnight).subtract({ days: local.dayOfWeek - 1 }),
    step: { weeks: 1 },
  },
  P1M: { floor: (local) => local.with({ ...midnight, day: 1 }), step: { months: 1 } },
  P3M: {
    floor: (local) => {
      return local.with({ ...midnight, day: 1, month: local.month - ((local.month - 1) % 3) });
    },
    step: { months: 3 },
  },
  P1Y: { floor: (local) => local.with({ ...midnight, day: 1, month: 1 }), step: { years: 1 } },
} satisfies Record<string, CalendarWidth>;

const weeksFromSunday: CalendarWidth = {
  floor: (local) => local.with(midnight).subtract({ days: local.dayOfWeek % 7 }),
  step: { weeks: 1 },
};

/** The first days of a week; ISO 8601 has Mondays. */
export const weekStarts = ['monday', 'sunday'] as const;
export type WeekStart = (typeof weekStarts)[number];

export type Width = keyof typeof clockWidths | keyof typeof calendarWidths;

/** Bucket widths, as ISO 8601 durations. */
export const widths = [...Object.keys(clockWidths), ...Object.keys(calendarWidths)] as [
  Width,
  ...Width[],
];

export interface BucketRequest {
  /** Epoch milliseconds: the first bucket begins at `from`, the last one ends at `to`. */
  from: number;
  to: number;
  every: Width;
  /** The first day of a week, by default Monday. */
  weekStart?: WeekStart | undefined;
  /** A name of the IANA time zone database. */
  timeZone: string;
  /** Maximum number of buckets. */
  limit: number;
}

/**
 * The boundaries of the buckets in epoch milliseconds. All but the first and the last are full
 * hours, days, … of the time zone. Empty where the range is empty.
 */
export function bucketEdges({ from, to, limit, ...request }: BucketRequest): number[] {
  if (from >= to) return [];
  const next = stepper(request);
  const edges = [from];
  for (let edge = from; edge < to && edges.length <= limit;) {
    edge = Math.min(to, next(edge));
    edges.push(edge);
  }
  return edges;
}

/** An upper bound of each width in milliseconds, also where a zone repeats a day. */
const longestMs: Partial<Record<Width, number>> = {
  ...clockWidths,
  P1W: 9 * 24 * 60 * minuteMs,
  P1M: 33 * 24 * 60 * minuteMs,
  P3M: 94 * 24 * 60 * minuteMs,
  P1Y: 368 * 24 * 60 * minuteMs,
};
const usualLongestMs = 3 * 24 * 60 * minuteMs;

/** The bucket of a range that contains a moment. */
export function bucketAt(
  time: number,
  { from, to, ...request }: Omit<BucketRequest, 'limit'>,
): { from: number; to: number } {
  const next = stepper(request);
  const width = longestMs[request.every] ?? usualLongestMs;
  let edge = Math.max(from, time - 2 * width);
  for (;;) {
    const end = Math.min(to, next(edge));
    if (end > time) return { from: edge, to: end };
    edge = end;
  }
}

/** Formats moments as local time with offset: `2026-03-29T00:00:00.000+00:00`. Call it in ascending order of time. */
export function localTimes(timeZone: string): (time: number) => string {
  const shiftAt = shifts(timeZone);
  let [offset, offsetOf] = ['', NaN];
  return (time) => {
    const shift = shiftAt(time);
    if (shift !== offsetOf) [offset, offsetOf] = [offsetText(shift), shift];
    return new Date(time + shift).toISOString().slice(0, -1) + offset;
  };
}

/** Whether the local year has four digits, 0000 to 9999 (ISO 8601). */
export function hasFourDigitYear(time: number, timeZone: string): boolean {
  const { year } = zoned(time, timeZone);
  return year >= 0 && year <= 9999;
}

/** `+05:30` (ISO 8601). Seconds, which only historical offsets have, are omitted. */
function offsetText(shift: number): string {
  const minutes = Math.trunc(Math.abs(shift) / minuteMs);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${shift < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
}

/** Returns a function that gives the end of the bucket that contains a time. */
function stepper({
  every,
  weekStart,
  timeZone,
}: Pick<BucketRequest, 'every' | 'weekStart' | 'timeZone'>): (time: number) => number {
  if (every in clockWidths) {
    return clockStepper(clockWidths[every as keyof typeof clockWidths], timeZone);
  }
  if (every === 'P1W' && weekStart === 'sunday') return calendarStepper(weeksFromSunday, timeZone);
  return calendarStepper(calendarWidths[every as keyof typeof calendarWidths], timeZone);
}

/** An hour in which the clocks change by half an hour is shorter. */
function clockStepper(width: number, timeZone: string): (time: number) => number {
  const shiftAt = shifts(timeZone);
  return (time) => {
    const shift = shiftAt(time);
    return Math.floor((time + shift) / width) * width - shift + width;
  };
}

/** Milliseconds by which local time is ahead of UTC; looked up again only after a change. */
function shifts(timeZone: string): (time: number) => number {
  let shift = 0;
  let until = -Infinity;
  return (time) => {
    if (time < until) return shift; // times are ascending
    const there = zoned(time, timeZone);
    shift = there.offsetNanoseconds / 1e6;
    until = there.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity;
    return shift;
  };
}

function calendarStepper(
  { floor, step }: CalendarWidth,
  timeZone: string,
): (time: number) => number {
  return (time) => {
    let local = floor(zoned(time, timeZone).toPlainDateTime());
    for (;;) {
      local = local.add(step);
      const edge = firstMoment(local, timeZone);
      // Where the clocks are set back, the same local hour occurs twice.
      if (edge > time) return edge;
    }
  };
}

/** The first moment with this local time; where the clocks skip it, with the next one. */
function firstMoment(local: Temporal.PlainDateTime, timeZone: string): number {
  const there = local.toZonedDateTime(timeZone);
  if (there.toPlainDateTime().equals(local)) return there.epochMilliseconds;
  const change = there.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  return (change ?? there).epochMilliseconds;
}

function zoned(time: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone);
}
