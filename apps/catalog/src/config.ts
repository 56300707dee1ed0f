import { httpSettings } from '@engawa/http';
import { serviceSettings } from '@engawa/service';
import { tableSettings } from '@engawa/table';
import { z } from 'zod';

const milliseconds = z.coerce.number().int().min(10).max(600_000);

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
  TYPE_REFRESH_MS: milliseconds
    .default(1000)
    .describe(
      'Milliseconds between two looks whether a type has changed; half a read unit each. What is known of types is at most twice as old.',
    ),
  FULL_TEXT_REFRESH_MS: milliseconds
    .default(1000)
    .describe('Milliseconds between two looks for texts that have changed.'),
  TASK_REFRESH_MS: milliseconds
    .default(30_000)
    .describe('Milliseconds between two looks for what another replica has begun and not ended.'),
  SEARCH_URL: z
    .url({ protocol: /^https?$/, error: 'it must be an http or https URL' })
    .optional()
    .meta({ secret: true })
    .describe(
      'An OpenSearch that keeps the full-text index, with user and password where it wants them; without it, each replica keeps one in memory.',
    ),
});

export type Config = z.output<typeof settings>;
