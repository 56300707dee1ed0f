import { z } from 'zod';

/** An integer in a query string, in decimal digits only: Number() would also accept blanks, `0x10` and `1e2`. */
export function integerParameter({ minimum, maximum }: { minimum: number; maximum: number }) {
  return z.preprocess(
    (text) => (typeof text === 'string' && /^-?\d{1,15}$/.test(text) ? Number(text) : text),
    z.int({ error: notWhole }).min(minimum).max(maximum),
  );
}

/** Zod's message would be about a number, but the value is still a string here. */
function notWhole({ code, input }: { code: string; input?: unknown }): string | undefined {
  return code === 'invalid_type' && input !== undefined ? 'must be a whole number' : undefined;
}
