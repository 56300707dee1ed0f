import { httpSettings } from '@engawa/http';
import { serviceSettings } from '@engawa/service';
import { tableSettings } from '@engawa/table';
import { z } from 'zod';

export const settings = z.object({
  ...serviceSettings,
  ...httpSettings,
  ...tableSettings,
  PURGE_REFRESH_MS: z.coerce
    .number()
    .int()
    .min(1000)
    .max(3_600_000)
    .default(60_000)
    .describe(
      'Interval in milliseconds at which a replica polls for purge jobs that other replicas have not completed, for half a read unit per poll.',
    ),
  PURGE_QUIESCENCE_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3600)
    .default(120)
    .describe(
      'Minimum time in seconds before the id of a deleted device can be used again (409 until then). Readings that ingestion holds at the deletion are stored within this time, and purged with all other readings.',
    ),
});

export type Config = z.output<typeof settings>;
