import { z } from 'zod';

const mostFields = 100;

/** Names of fields in a query string, separated by commas; sorted, each once, so that equal questions look equal. */
export const fieldsParameter = z
  .string()
  .transform((text) => [...new Set(text.split(','))].sort())
  .refine((names) => !names.includes(''), 'must be names separated by single commas')
  .refine((names) => names.length <= mostFields, `must be at most ${mostFields} names`);
