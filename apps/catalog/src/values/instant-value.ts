import { instant, KeyError } from '@engawa/keys';
import { parseTime } from '@engawa/model';

/** A number of a query string or a text; an exponent is a number of JSON. */
const plainNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * The stored form of an instant: ISO-8601 with an offset, or a number, always epoch milliseconds. Readings also have
 * seconds, told by their magnitude; here the same number would be a birthday of 1971 or a time of 3141.
 * @throws KeyError naming `field`
 */
export function instantValue(field: string, value: string | number): string {
  const time = typeof value === 'number' ? Math.round(value) : parseTime(value);
  if (time === undefined)
    throw new KeyError(field, 'must be an ISO-8601 time, or epoch milliseconds');
  return instant(field, time);
}

/** The epoch milliseconds that a text has as a number; undefined for another text. */
export function millisecondsOf(text: string): number | undefined {
  return plainNumber.test(text) ? Number(text) : undefined;
}
