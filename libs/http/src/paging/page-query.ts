import { z } from 'zod';
import { integerParameter } from '../request/integer-parameter.ts';
import { maxCursorLength } from './cursor-codec.ts';

/** The two parameters of every list: spread them into its query schema. */
export const pageQuery = {
  limit: integerParameter({ minimum: 1, maximum: 1000 })
    .prefault(100)
    .describe('How many to give at most; a page may hold fewer and still have a next one.'),
  cursor: z
    .string()
    .min(1)
    .max(maxCursorLength)
    .optional()
    .describe(
      'Where to go on: the `cursor` of the page before, with all other parameters the same.',
    ),
};
