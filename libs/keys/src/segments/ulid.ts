import { KeyError } from '../key-error.ts';

/** 26 characters of Crockford's base 32; the first at most 7, since a ULID has 128 bits (github.com/ulid/spec). */
const pattern = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** A ULID in its canonical upper case: in order of creation, to the millisecond. */
export function ulid(field: string, value: string): string {
  const upper = value.toUpperCase();
  if (!pattern.test(upper)) throw new KeyError(field, 'is not a ULID');
  return upper;
}
