import { z } from 'zod';
import { integerParameter } from '../request/integer-parameter.ts';
import { maxCursorLength } from './cursor-codec.ts';

/** The two parameters of every list; spread them into its query schema. */
export const pageQuery = {
  limit: integerParameter({ minimum: 1, maximum: 1000 })
    .prefault(100)
    .describe('Maximum number of items; a page may have fewer although more follow.'),
  cursor: z
    .string()
    .min(1)
    .max(maxCursorLength)
    .optional()
    .describe(
      'The `cursor` of the previous page, to get the next one; all other parameters must be the same.',
    ),
};
