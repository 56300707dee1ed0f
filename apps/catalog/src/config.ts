import { httpSettings } from '@engawa/http';
import { serviceSettings } from '@engawa/service';
import { tableSettings } from '@engawa/table';
import { z } from 'zod';

/** Of the names of indexes in OpenSearch, unless SEARCH_INDEX_PREFIX says another. */
export const usualPrefix = 'engawa';

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
    .describe(
      'Milliseconds between two looks for what another replica has begun and not ended, and for entities that have expired.',
    ),
  FULL_TEXT_FOLDER: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder on disk in which each replica keeps its full-text index; what is left of processes that were killed is deleted. Without it, `engawa-full-text` in the folder for temporary files. Not used with SEARCH_URL.',
    ),
  FULL_TEXT_MAX_BYTES: z.coerce
    .number()
    .int()
    .min(65_536)
    .max(1_099_511_627_776)
    .default(536_870_912)
    .describe(
      "Bytes that a replica's full-text index may have on disk; while it is built again there are two of them. Where the texts are more, searches are answered with 503 `full-text-too-large`.",
    ),
  FULL_TEXT_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(1)
    .max(60_000)
    .default(3000)
    .describe(
      'Milliseconds that a full-text search may take; then it is answered with 503 `full-text-timeout`.',
    ),
  SEARCH_URL: z
    .url({ protocol: /^https?$/, error: 'it must be an http or https URL' })
    .optional()
    .meta({ secret: true })
    .describe(
      'An OpenSearch that keeps the full-text index, with user and password where it wants them; without it, each replica keeps one on disk (FULL_TEXT_FOLDER).',
    ),
  SEARCH_INDEX_PREFIX: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9-]{0,39}$/,
      'it must have 1 to 40 lower-case letters, digits and hyphens',
    )
    .default(usualPrefix)
    .describe(
      'What the names of indexes in that OpenSearch begin with: one for each environment whose tables have the same name. With another one the index is built again; the old one has to be deleted by hand.',
    ),
});

export type Config = z.output<typeof settings>;
