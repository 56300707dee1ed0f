import { parseNumber } from '@engawa/model';
import { z } from 'zod';
import type { Fill } from '../aggregates/fill.ts';

const pattern = /^(none|null|previous|linear|-?\d{1,15}(\.\d{1,15})?)$/;
const words = ['none', 'null', 'previous', 'linear'] as const;

/** The query parameter `fill`. */
export const fillParameter = z
  .string()
  .regex(pattern, 'must be none, null, previous, linear or a number such as 0')
  .transform((text): Fill => {
    return words.find((word) => word === text) ?? { value: parseNumber(text) };
  })
  .prefault('none')
  .describe(
    'The value of a field in a bucket without readings of it. `none` omits the field. All others need `fields`: `null`; `previous`, the value of the last bucket with a value; `linear`, interpolated between the previous and the next value; or a number. With `previous` and `linear`, sum, increase and rate are 0. count is 0 unless `fill` is a number.',
  );
