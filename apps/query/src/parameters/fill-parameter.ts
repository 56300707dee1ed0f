import { parseNumber } from '@engawa/model';
import { z } from 'zod';
import type { Fill } from '../aggregates/fill.ts';

const pattern = /^(none|null|previous|linear|-?\d{1,15}(\.\d{1,15})?)$/;
const words = ['none', 'null', 'previous', 'linear'] as const;

/** What buckets without a value of a field say. */
export const fillParameter = z
  .string()
  .regex(pattern, 'must be none, null, previous, linear or a number such as 0')
  .transform((text): Fill => {
    return words.find((word) => word === text) ?? { value: parseNumber(text) };
  })
  .prefault('none')
  .describe(
    'What a bucket without a value of a field says: `none` leaves the field out. The others need `fields`: `null`; `previous`, the value of the last bucket before it in the range; `linear`, the line between that and the next one; or a number. With `previous` and `linear`, sum, increase and rate are 0; count is 0 but for a number.',
  );
