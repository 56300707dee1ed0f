import type { Capacity, ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { IndexUnit, Unit } from '@engawa/heat';

/** Units that DynamoDB reports for the table or one of its indexes. */
export interface ConsumedUnits extends IndexUnit {
  units: number;
  /** Whether it is the total of the table and its indexes, which are not reported separately. */
  isSum?: boolean;
}

/**
 * @param reported `ConsumedCapacity` of a response; BatchGetItem and transactions have a list of them
 * @param requested index and unit of the operation, used where DynamoDB names none: a Query takes
 * all of its units from its index
 */
export function consumedUnits(
  reported: ConsumedCapacity | ConsumedCapacity[] | undefined,
  requested: IndexUnit,
): ConsumedUnits[] {
  const { unit } = requested;
  const consumed: ConsumedUnits[] = [];
  for (const capacity of [reported ?? []].flat()) {
    const { Table, GlobalSecondaryIndexes = {} } = capacity;
    const ofTable = unitsOf(Table ? 'table' : requested.index, Table ?? capacity, unit);
    consumed.push(...(Table ? ofTable : ofTable.map((one) => ({ ...one, isSum: true }))));
    for (const index of Object.keys(GlobalSecondaryIndexes)) {
      consumed.push(...unitsOf(index, GlobalSecondaryIndexes[index] ?? {}, unit));
    }
  }
  return consumed;
}

function unitsOf(index: string, capacity: Capacity, unit: Unit): ConsumedUnits[] {
  const { CapacityUnits = 0, ReadCapacityUnits = 0, WriteCapacityUnits = 0 } = capacity;
  // Only transactions report reads and writes separately: the retry of a completed transaction reads
  // (TransactWriteItems).
  if (ReadCapacityUnits === 0 && WriteCapacityUnits === 0) {
    return [{ index, unit, units: CapacityUnits }];
  }
  const both = [
    { index, unit: 'read' as const, units: ReadCapacityUnits },
    { index, unit: 'write' as const, units: WriteCapacityUnits },
  ];
  return both.filter(({ units }) => units > 0);
}
