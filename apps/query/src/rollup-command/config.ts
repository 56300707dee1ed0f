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
      'Hours before their expiry at which the rollup command computes the rollups of readings: at least twice the interval between two runs.',
    ),
});

export type Config = z.output<typeof settings>;
