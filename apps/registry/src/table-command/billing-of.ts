import { OperatorError } from '@engawa/errors';
import type { EnsureTableOptions } from '@engawa/table';
import type { Config } from './config.ts';

type Billing = NonNullable<EnsureTableOptions['billing']>;

/** @throws OperatorError where the units do not fit the billing mode */
export function billingOf(config: Config): Billing {
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
