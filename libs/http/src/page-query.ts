import { z } from 'zod';
import { longestCursor } from './cursor-codec.ts';

/** A whole number in a query string, plain digits only: Number() also takes blanks, `0x10` and `1e2`. */
export function integerParameter({ minimum, maximum }: { minimum: number; maximum: number }) {
  return z.preprocess(
    (text) => (typeof text === 'string' && /^-?\d{1,15}$/.test(text) ? Number(text) : text),
    z.int({ error: notWhole }).min(minimum).max(maximum),
  );
}

/** Zod itself would say "a number": what it was given is still text. */
function notWhole({ code, input }: { code: string; input?: unknown }): string | undefined {
  return code === 'invalid_type' && input !== undefined ? 'must be a whole number' : undefined;
}

/** The two parameters of every list: spread them into its query schema. */
export const pageQuery = {
  limit: integerParameter({ minimum: 1, maximum: 1000 })
    .prefault(100)
    .describe('How many to give at most; a page may hold fewer and still have a next one.'),
  cursor: z
    .string()
    .min(1)
    .max(longestCursor)
    .optional()
    .describe(
      'Where to go on: the `cursor` of the page before, with all other parameters the same.',
    ),
};
