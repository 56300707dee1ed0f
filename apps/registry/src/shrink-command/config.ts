import { maxShards } from '@engawa/keys';
import { serviceSettings } from '@engawa/service';
import { tableSettings } from '@engawa/table';
import { z } from 'zod';
import { listFamilies } from './shrinkable-list.ts';

export const settings = z.object({
  ...serviceSettings,
  ...tableSettings,
  SHRINK_FAMILY: z
    .enum(listFamilies)
    .describe('The list whose shards become fewer, by its `family` in the hot-partition report.'),
  SHRINK_TO: z.coerce
    .number()
    .int()
    .min(1)
    .max(maxShards)
    .refine((count) => Math.log2(count) % 1 === 0, 'must be a power of two')
    .default(1)
    .describe('The new number of shards: a power of two.'),
  SHRINK_CONFIRMED: z
    .stringbool()
    .default(false)
    .describe('`false` only logs the price; `true` moves the entries of the list.'),
  SHRINK_ENTRIES_PER_SECOND: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(100)
    .describe(
      'Entries moved per second. Each takes up to 4 write units or, if it is larger than 1 KB, more.',
    ),
  SHRINK_QUIESCENCE_SECONDS: z.coerce
    .number()
    .min(1)
    .default(120)
    .describe(
      'Time until the higher shards are checked for the last time: writes that were in flight at the start are stored by then.',
    ),
});

export type Config = z.output<typeof settings>;
