import { serviceSettings } from '@engawa/service';
import { tableSettings } from '@engawa/table';
import { z } from 'zod';

export const settings = z.object({
  ...serviceSettings,
  ...tableSettings,
  ROLLUP_AHEAD_HOURS: z.coerce
    .number()
    .min(1)
    .max(8760)
    .default(48)
    .describe(
      'The rollup command makes the rollups of readings that expire within this many hours. At least twice the interval between its runs.',
    ),
});

export type Config = z.output<typeof settings>;
