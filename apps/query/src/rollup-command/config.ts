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
      'What expires within so many hours is rolled up by the rollup command; at least twice the time between two of its runs.',
    ),
});

export type Config = z.output<typeof settings>;
