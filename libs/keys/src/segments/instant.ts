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
  return new Date(milliseconds).toISOString();
}

export function parseInstant(field: string, text: string): number {
  const milliseconds = pattern.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(milliseconds)) throw new KeyError(field, 'is not an instant');
  return milliseconds;
}
