import { z } from 'zod';

const fieldValue = z.union([z.number(), z.string(), z.boolean(), z.null()]);

/** The fields of a reading in a response; numbers have all their digits. */
export const fieldsOutput = z
  .record(z.string(), fieldValue)
  .describe('By field name; numbers have all their digits.');
