import { httpSettings } from '@engawa/http';
import { serviceSettings } from '@engawa/service';
import { tableSettings } from '@engawa/table';
import { z } from 'zod';

export const settings = z.object({
  ...serviceSettings,
  ...httpSettings,
  ...tableSettings,
  ERASURE_REFRESH_MS: z.coerce
    .number()
    .int()
    .min(1000)
    .max(3_600_000)
    .default(60_000)
    .describe(
      'Milliseconds between two Queries for erasures that other replicas have left undone; half a read unit each.',
    ),
  ERASURE_SETTLE_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3600)
    .default(120)
    .describe(
      'Seconds for which the id of a deleted device is refused at least (409): readings that ingestion holds when it is deleted are stored by then, and erased with the others.',
    ),
});

export type Config = z.output<typeof settings>;
