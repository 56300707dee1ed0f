import { z } from 'zod';

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
