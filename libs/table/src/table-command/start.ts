import { OperatorError } from '@engawa/errors';
import { ensureTable } from '../setup/ensure-table.ts';
import { tableLocation } from '../setup/settings.ts';
import type { ServiceContext } from '@engawa/service';
import type { EnsuredTable, EnsureTableOptions } from '../setup/ensure-table.ts';
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

type Billing = NonNullable<EnsureTableOptions['billing']>;

/** @throws OperatorError where the units do not fit the billing mode */
function billingOf(config: Config): Billing {
  const {
    TABLE_BILLING: mode,
    TABLE_READ_UNITS: readUnits,
    TABLE_WRITE_UNITS: writeUnits,
  } = config;
  if (mode === 'provisioned') {
    if (readUnits !== undefined && writeUnits !== undefined) return { mode, readUnits, writeUnits };
    throw new OperatorError(
      'TABLE_BILLING is provisioned: set TABLE_READ_UNITS and TABLE_WRITE_UNITS, too',
    );
  }
  if (readUnits === undefined && writeUnits === undefined) return { mode };
  throw new OperatorError(
    'TABLE_BILLING is on-demand, which has no units: remove TABLE_READ_UNITS and ' +
      'TABLE_WRITE_UNITS, or set TABLE_BILLING=provisioned',
  );
}
