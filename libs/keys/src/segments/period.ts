import { earliestInstant, instant, latestInstant } from './instant.ts';

/** Lengths of periods as ISO-8601 durations: a day, an ISO week, a month, all in UTC. */
export const periodLengths = ['P1D', 'P1W', 'P1M'] as const;
export type PeriodLength = (typeof periodLengths)[number];

const msOfDay = 86_400_000;
const daysOfWeek = 7;

/**
 * The name of the period that contains an instant in epoch milliseconds: `2026-11-29`, `2026-W48` or `2026-11`.
 * @throws KeyError for an instant outside of the years 0000 to 9999
 */
export function periodOf(length: PeriodLength, milliseconds: number): string {
  const date = instant('period', milliseconds);
  switch (length) {
    case 'P1D':
      return date.slice(0, 10);
    case 'P1W':
      return weekOf(milliseconds);
    case 'P1M':
      return date.slice(0, 7);
  }
}

/** Whether a text is the name of a period: `2025-W53` is none, since that year has 52 weeks. */
export function isPeriod(length: PeriodLength, text: string): boolean {
  const milliseconds = timeIn(length, text);
  if (Number.isNaN(milliseconds)) return false;
  // Only the last days of -0001-W52 are instants.
  const clamped = Math.min(Math.max(milliseconds, earliestInstant), latestInstant);
  return periodOf(length, clamped) === text;
}

/** The first and the last instant of the period that contains an instant in epoch milliseconds. */
export function periodBounds(length: PeriodLength, milliseconds: number): [string, string] {
  const [start, end] = startAndEnd(length, milliseconds);
  return [
    instant('period', Math.max(start, earliestInstant)),
    instant('period', Math.min(end - 1, latestInstant)),
  ];
}

function startAndEnd(length: PeriodLength, milliseconds: number): [number, number] {
  if (length === 'P1M') {
    const date = new Date(milliseconds);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    return [startOf(year, month), startOf(year, month + 1)];
  }
  const days = Math.floor(milliseconds / msOfDay);
  const [first, count] = length === 'P1D' ? [days, 1] : [thursdayOf(days) - 3, daysOfWeek];
  return [first * msOfDay, (first + count) * msOfDay];
}

/** ISO 8601: weeks begin on Monday, and a week is of the year that has its Thursday. */
function weekOf(milliseconds: number): string {
  const thursday = thursdayOf(Math.floor(milliseconds / msOfDay));
  const year = new Date(thursday * msOfDay).getUTCFullYear();
  const week = Math.floor((thursday - startOf(year) / msOfDay) / daysOfWeek) + 1;
  return `${padded(year, 4)}-W${padded(week, 2)}`;
}

/** The Thursday of the week of a day; both in days since 1970-01-01, which is a Thursday. */
function thursdayOf(day: number): number {
  return Math.floor((day + 3) / daysOfWeek) * daysOfWeek;
}

/** The start of a month, January by default, in epoch milliseconds. `Date.UTC` takes the year 26 for 1926. */
function startOf(year: number, month = 0): number {
  return new Date(0).setUTCFullYear(year, month, 1);
}

/** Week 52 of the year before 0000 has its last two days in 0000: `-0001-W52`. */
function padded(number: number, digits: number): string {
  return (number < 0 ? '-' : '') + String(Math.abs(number)).padStart(digits, '0');
}

const forms = {
  P1D: /^\d{4}-\d\d-\d\d$/,
  P1W: /^(?<year>\d{4}|-0001)-W(?<week>\d\d)$/,
  P1M: /^\d{4}-\d\d$/,
} as const;

/** An instant in the period of that name, if it exists, in epoch milliseconds; NaN for another form. */
function timeIn(length: PeriodLength, text: string): number {
  const found = forms[length].exec(text);
  if (found === null) return NaN;
  if (length !== 'P1W') return Date.parse(length === 'P1M' ? `${text}-01` : text);
  const { year, week } = found.groups as { year: string; week: string };
  // 4 January is always in week 1.
  const fourth = startOf(Number(year)) / msOfDay + 3;
  return (thursdayOf(fourth) + (Number(week) - 1) * daysOfWeek) * msOfDay;
}
