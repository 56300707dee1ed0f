import { OperatorError } from '@engawa/errors';
import { indexNames, ttlAttribute } from './table-definition.ts';
import type { TableDescription } from '@aws-sdk/client-dynamodb';
import type { Billing } from './table-definition.ts';

/** @throws OperatorError where the table, or an index with one of Engawa's index names, has other keys */
export function checkKeys(tableName: string, table: TableDescription): void {
  const ofIndexes = (table.GlobalSecondaryIndexes ?? []).flatMap(({ IndexName, KeySchema }) => {
    const name = indexNames.find((known) => known === IndexName);
    return name ? [{ what: `its index ${name}`, name, schema: KeySchema }] : [];
  });
  const schemas = [{ what: 'it', name: '' as const, schema: table.KeySchema }, ...ofIndexes];
  for (const { what, name, schema } of schemas) {
    const keys = (schema ?? []).map(({ AttributeName }) => AttributeName).join(' and ');
    if (keys !== `${name}pk and ${name}sk`) {
      throw new OperatorError(
        `table ${tableName} is not a table of Engawa: ${what} has the keys ${keys}, not ${name}pk and ` +
          `${name}sk; give another name in TABLE_NAME`,
      );
    }
    for (const { AttributeName = '' } of schema ?? []) checkType(tableName, table, AttributeName);
  }
}

function checkType(tableName: string, table: TableDescription, key: string): void {
  const definition = table.AttributeDefinitions?.find(({ AttributeName }) => AttributeName === key);
  const { AttributeType: type = 'S' } = definition ?? {};
  if (type === 'S') return;
  throw new OperatorError(
    `table ${tableName} is not a table of Engawa: its key ${key} is of type ${type}, not S; give another ` +
      'name in TABLE_NAME',
  );
}

/** @throws OperatorError where the table's time to live uses another attribute; a table has only one */
export function checkTimeToLive(tableName: string, attribute: string = ttlAttribute): void {
  if (attribute === ttlAttribute) return;
  throw new OperatorError(
    `table ${tableName} expires items by the attribute ${attribute}, not ${ttlAttribute}, so items of Engawa would ` +
      'never expire: disable TTL of the table and run this command again, or set TABLE_NAME to another table',
  );
}

/** A table that was never on demand has no BillingModeSummary. */
export function billingOf(table: TableDescription): Billing {
  const { BillingModeSummary, ProvisionedThroughput } = table;
  const readUnits = ProvisionedThroughput?.ReadCapacityUnits ?? 0;
  const writeUnits = ProvisionedThroughput?.WriteCapacityUnits ?? 0;
  const billingMode = BillingModeSummary?.BillingMode;
  const isProvisioned = billingMode === undefined ? writeUnits > 0 : billingMode === 'PROVISIONED';
  return isProvisioned && readUnits > 0 && writeUnits > 0
    ? { mode: 'provisioned', readUnits, writeUnits }
    : { mode: 'on-demand' };
}

/** The part of the table that DynamoDB is still changing, if any; it creates one index at a time. */
export function workOn(table: TableDescription): string | undefined {
  const { TableStatus = 'ACTIVE', GlobalSecondaryIndexes = [] } = table;
  // Alternator reports no index status where it cannot add indexes later.
  const unfinished = GlobalSecondaryIndexes.find(
    ({ IndexStatus = 'ACTIVE' }) => IndexStatus !== 'ACTIVE',
  );
  if (unfinished !== undefined) {
    return `index ${unfinished.IndexName ?? ''} is ${unfinished.IndexStatus ?? ''}`;
  }
  return TableStatus === 'ACTIVE' ? undefined : `the table is ${TableStatus}`;
}
