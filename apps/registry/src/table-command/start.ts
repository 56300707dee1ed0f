import { ensureTable, tableLocation } from '@engawa/table';
import { billingOf } from './billing-of.ts';
import type { ServiceContext } from '@engawa/service';
import type { EnsuredTable } from '@engawa/table';
import type { Config } from './config.ts';

export { settings } from './config.ts';

const outcomes: Record<EnsuredTable, string> = {
  created: 'the table was created',
  completed: 'the table was there, and has been completed',
  present: 'the table is there, with all that it needs',
};

/** Makes the table, or what is missing of it; then the process ends. */
export async function start(context: ServiceContext<Config>): Promise<void> {
  const { config, log, signal } = context;
  const billing = billingOf(config);
  const outcome = await ensureTable({ ...tableLocation(config), billing, signal, log });
  log.info({ table: config.TABLE_NAME, outcome }, outcomes[outcome]);
}
