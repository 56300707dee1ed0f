import { createHash } from 'node:crypto';
import { z } from 'zod';

/** Crockford's base 32, the alphabet of ULIDs: https://github.com/ulid/spec */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 130 bits. */
const idLength = 26;

export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
  .describe(
    'Identifies this request, so that a retry gives each entry without an id the same id again. For example a UUID.',
  );

/**
 * The id of an entry that has none: the same for the same entry at the same place of a request with the same key. Two
 * clients that happen to use one key get different entities where their entries differ.
 * @param line number of the entry in the request, from 1
 */
export function idOfEntry(key: string, line: number, entry: object): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([key, line, entry]))
    .digest();
  return Array.from(hash.subarray(0, idLength), (byte) => digits[byte % digits.length]).join('');
}
