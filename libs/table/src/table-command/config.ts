import { serviceSettings } from '@engawa/service';
import { z } from 'zod';
import { tableSettings } from '../setup/settings.ts';

const units = z.coerce.number().int().min(1).optional();

export const settings = z.object({
  ...serviceSettings,
  ...tableSettings,
  TABLE_BILLING: z
    .enum(['on-demand', 'provisioned'])
    .default('on-demand')
    .describe('The billing mode of a new table. An existing table keeps its own.'),
  TABLE_READ_UNITS: units.describe(
    'Read units per second of a provisioned table, and of each of its indexes. Required with TABLE_BILLING=provisioned.',
  ),
  TABLE_WRITE_UNITS: units.describe(
    'Write units per second of a provisioned table, and of each of its indexes. Required with TABLE_BILLING=provisioned.',
  ),
});

export type Config = z.output<typeof settings>;
