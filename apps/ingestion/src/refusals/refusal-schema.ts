import { deadLetterReasons } from '@engawa/model';
import { z } from 'zod';

/** Why a reading, or a whole message, is not stored. */
export const refusal = z
  .strictObject({
    index: z
      .int()
      .optional()
      .describe(
        'Index of the reading, counted from 0; absent if the refusal is about all readings.',
      ),
    reason: z.enum(deadLetterReasons),
    detail: z.string(),
  })
  .meta({ id: 'Refusal' });
