import { httpSettings } from '@engawa/http';
import { serviceSettings } from '@engawa/service';
import { tableSettings } from '@engawa/table';
import { z } from 'zod';

/** Default of SEARCH_INDEX_PREFIX. */
export const defaultIndexPrefix = 'engawa';

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
      'Milliseconds between a change of a type and the build of its new searches: must be longer than any write with the previous declaration, and equal on all replicas.',
    ),
  TYPE_REFRESH_MS: milliseconds
    .default(1000)
    .describe(
      'Milliseconds between two polls for changed types, for half a read unit each. Cached types are at most twice as old.',
    ),
  FULL_TEXT_REFRESH_MS: milliseconds
    .default(1000)
    .describe('Milliseconds between two polls for changed entities.'),
  TASK_REFRESH_MS: milliseconds
    .default(30_000)
    .describe(
      'Milliseconds between two polls for unfinished tasks of other replicas, and for expired entities.',
    ),
  FULL_TEXT_FOLDER: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder on disk in which each replica keeps its full-text index; leftovers of killed processes are deleted. Default: `engawa-full-text` in the folder for temporary files. Not used with SEARCH_URL.',
    ),
  FULL_TEXT_MAX_BYTES: z.coerce
    .number()
    .int()
    .min(65_536)
    .max(1_099_511_627_776)
    .default(536_870_912)
    .describe(
      "Maximum bytes of a replica's full-text index on disk; during a rebuild there are two indexes. If the texts need more, searches fail with 503 `full-text-too-large`.",
    ),
  FULL_TEXT_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(1)
    .max(60_000)
    .default(3000)
    .describe(
      'Timeout of a full-text search in milliseconds; then it fails with 503 `full-text-timeout`.',
    ),
  SEARCH_URL: z
    .url({ protocol: /^https?$/, error: 'it must be an http or https URL' })
    .optional()
    .meta({ secret: true })
    .describe(
      'URL of an OpenSearch for the full-text index, with user and password if required; without it, each replica keeps an index on disk (FULL_TEXT_FOLDER).',
    ),
  SEARCH_INDEX_PREFIX: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9-]{0,39}$/,
      'it must have 1 to 40 lower-case letters, digits and hyphens',
    )
    .default(defaultIndexPrefix)
    .describe(
      'Prefix of the index names in OpenSearch; use different ones for environments whose tables have the same name. After a change, the index is rebuilt, and the old one has to be deleted manually.',
    ),
});

export type Config = z.output<typeof settings>;
