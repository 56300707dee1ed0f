import { KeyError } from '../key-error.ts';

/** 0000-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z in epoch milliseconds. */
export const earliestInstant = -62_167_219_200_000;
export const latestInstant = 253_402_300_799_999;

const pattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Epoch milliseconds as ISO-8601 in UTC with exactly three decimals, years 0000 to 9999. */
export function instant(field: string, milliseconds: number): string {
  if (!Number.isInteger(milliseconds)) throw new KeyError(field, 'is not a whole millisecond');
  if (milliseconds < earliestInstant || milliseconds > latestInstant) {
    throw new KeyError(field, 'is outside the years 0000 to 9999');
  }
  return dateOf(milliseconds) + timeOf(milliseconds);
}

const msOfDay = 86_400_000;
const twoDigits = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));

/** The same text as Date's toISOString, which takes several times as long. */
function dateOf(milliseconds: number): string {
  // Days are counted from March, so that a leap day is the last of its year (Howard Hinnant: chrono-Compatible
  // Low-Level Date Algorithms, civil_from_days).
  const days = Math.floor(milliseconds / msOfDay) + 719_468;
  const era = Math.floor(days / 146_097);
  const dayOfEra = days - era * 146_097;
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${two(Math.floor(year / 100))}${two(year % 100)}-${two(month)}-${two(day)}T`;
}

function timeOf(milliseconds: number): string {
  const ofDay = milliseconds - Math.floor(milliseconds / msOfDay) * msOfDay;
  const seconds = Math.floor(ofDay / 1000);
  const minutes = Math.floor(seconds / 60);
  const fraction = String(ofDay % 1000).padStart(3, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}.${fraction}Z`;
}

function two(number: number): string {
  const digits = twoDigits[number];
  if (digits === undefined) throw new RangeError('a part of an instant has two digits');
  return digits;
}

export function parseInstant(field: string, text: string): number {
  const milliseconds = pattern.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(milliseconds)) throw new KeyError(field, 'is not an instant');
  return milliseconds;
}
