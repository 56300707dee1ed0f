/** Instants are milliseconds since 1970 (UTC); a day is a local one, counted from 1970-01-01. */
export const oneMinute = 60_000;
export const oneHour = 60 * oneMinute;
export const oneDay = 24 * oneHour;
export const minutesInDay = 1440;

/** All homes are in Japan, which has kept UTC+9 without summer time since 1952. */
const offset = 9 * oneHour;

export function dayOf(time: number): number {
  return Math.floor((time + offset) / oneDay);
}

export function startOfDay(day: number): number {
  return day * oneDay - offset;
}

/** Minutes since the local midnight, with their fraction. */
export function minuteOfDay(time: number): number {
  return (time - startOfDay(dayOf(time))) / oneMinute;
}

/** 1970-01-01 was a Thursday. */
export function isWeekend(day: number): boolean {
  const weekday = (day + 4) % 7;
  return weekday === 0 || weekday === 6;
}

/** ISO 8601 with the local offset and no more digits than needed: `2026-11-20T08:30:00+09:00`. */
export function localIsoTime(time: number): string {
  return new Date(time + offset).toISOString().replace(/(\.000)?Z$/, '+09:00');
}
