import { ensureTable, tableLocation } from '@engawa/table';
import { billingOf } from './billing-of.ts';
import type { ServiceContext } from '@engawa/service';
import type { EnsuredTable } from '@engawa/table';
import type { Config } from './config.ts';

export { settings } from './config.ts';

const outcomes: Record<EnsuredTable, string> = {
  created: 'table created',
  completed: 'added the missing indexes and settings of the table',
  present: 'table is complete already',
};

/** Creates the table, or completes an existing one; then the process exits. */
export async function start(context: ServiceContext<Config>): Promise<void> {
  const { config, log, signal } = context;
  const billing = billingOf(config);
  const outcome = await ensureTable({ ...tableLocation(config), billing, signal, log });
  log.info({ table: config.TABLE_NAME, outcome }, outcomes[outcome]);
}
