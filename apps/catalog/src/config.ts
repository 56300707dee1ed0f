import { httpSettings } from '@engawa/http';
import { serviceSettings } from '@engawa/service';
import { tableSettings } from '@engawa/table';
import { z } from 'zod';

export const settings = z.object({
  ...serviceSettings,
  ...httpSettings,
  ...tableSettings,
  TYPE_SETTLE_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(600_000)
    .default(15_000)
    .describe(
      'Milliseconds between a change of a type and the building of its new searches: longer than any write that began with the type as it was can take, the same on all replicas.',
    ),
  SEARCH_URL: z
    .url({ protocol: /^https?$/, error: 'it must be an http or https URL' })
    .optional()
    .meta({ secret: true })
    .describe(
      'An OpenSearch that keeps the full-text index, with user and password where it wants them; without it, each replica keeps one in memory.',
    ),
});

export type Config = z.output<typeof settings>;
