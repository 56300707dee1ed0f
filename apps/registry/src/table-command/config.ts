import { serviceSettings } from '@engawa/service';
import { tableSettings } from '@engawa/table';
import { z } from 'zod';

const units = z.coerce.number().int().min(1).optional();

export const settings = z.object({
  ...serviceSettings,
  ...tableSettings,
  TABLE_BILLING: z
    .enum(['on-demand', 'provisioned'])
    .default('on-demand')
    .describe(
      'How DynamoDB bills a table that the table command makes; one that is there keeps its own.',
    ),
  TABLE_READ_UNITS: units.describe(
    'Read units a second of a provisioned table, and of each of its indexes. Needed for TABLE_BILLING=provisioned.',
  ),
  TABLE_WRITE_UNITS: units.describe(
    'Write units a second of a provisioned table, and of each of its indexes. Needed for TABLE_BILLING=provisioned.',
  ),
});

export type Config = z.output<typeof settings>;
