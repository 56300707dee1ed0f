import { fieldNames, thousandths } from './series.ts';
import type { Series } from './series.ts';

const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
/** Requested hours. */
export const hours = 30 * 24;

/** A month that ended a day ago, so that all its hours are complete; epoch milliseconds. */
export function lastMonth(now: number): { from: number; to: number } {
  const to = Math.floor(now / day) * day - day;
  return { from: to - hours * hour, to };
}

export interface MonthQuery {
  device: string;
  from: number;
  to: number;
  functions: string;
}

/** The address of the hourly aggregates of a month, as one page. */
export function monthPath({ device, from, to, functions }: MonthQuery): string {
  const search = new URLSearchParams({
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    every: 'PT1H',
    fn: functions,
    limit: '1000',
  });
  return `/v1/devices/${device}/aggregates?${search.toString()}`;
}

/** A month at a reading a minute. */
export function everyMinute(start: number): Series {
  return { start, step: minute, count: (hours * hour) / minute };
}

interface Bucket {
  fields: Record<string, { sum?: number; count?: number }>;
}

/**
 * Compares a response's sums with plain sums of whole numbers.
 * @param indexes of the readings that each hour has
 * @throws Error naming the first that is not the same to the digit
 */
export function checkSums(body: string, indexes: (hour: number) => readonly number[]): void {
  const { items: buckets } = JSON.parse(body) as { items: Bucket[] };
  if (buckets.length !== hours) throw new Error(`there are ${buckets.length} hours, not ${hours}`);
  for (const [number, { fields }] of buckets.entries()) {
    for (const [field, name] of fieldNames.entries()) {
      const values = indexes(number).map((index) => thousandths(index, field));
      // Division by a power of ten rounds to the double that the decimal number is read as.
      const sum = values.reduce((total, value) => total + value, 0) / 1000;
      const given = fields[name];
      if (given?.sum !== sum || given.count !== values.length) {
        throw new Error(`${name} of hour ${number}: ${JSON.stringify(given)}, not a sum of ${sum}`);
      }
    }
  }
}
