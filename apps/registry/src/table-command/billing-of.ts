import { OperatorError } from '@engawa/errors';
import type { EnsureTableOptions } from '@engawa/table';
import type { Config } from './config.ts';

type Billing = NonNullable<EnsureTableOptions['billing']>;

/** @throws OperatorError where the units do not go with the way of billing */
export function billingOf(config: Config): Billing {
  const {
    TABLE_BILLING: mode,
    TABLE_READ_UNITS: readUnits,
    TABLE_WRITE_UNITS: writeUnits,
  } = config;
  if (mode === 'provisioned') {
    if (readUnits !== undefined && writeUnits !== undefined) return { mode, readUnits, writeUnits };
    throw new OperatorError(
      'TABLE_BILLING is provisioned: TABLE_READ_UNITS and TABLE_WRITE_UNITS have to be set, too',
    );
  }
  if (readUnits === undefined && writeUnits === undefined) return { mode };
  throw new OperatorError(
    'TABLE_BILLING is on-demand, which has no units: leave out TABLE_READ_UNITS and ' +
      'TABLE_WRITE_UNITS, or set it to provisioned',
  );
}
