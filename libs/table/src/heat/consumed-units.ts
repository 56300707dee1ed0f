import type { Capacity, ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { Side, Unit } from '@engawa/heat';

/** Units that DynamoDB says a request took of the table or of one of its indexes. */
export interface ConsumedUnits extends Side {
  units: number;
  /** Of the table and its indexes together: which of them took it is not told. */
  isSum?: boolean;
}

/** @param asked what the operation takes, and of what, where DynamoDB does not name it: all that a Query takes is its index's */
export function consumedUnits(
  reported: ConsumedCapacity | ConsumedCapacity[] | undefined,
  asked: Side,
): ConsumedUnits[] {
  const { unit } = asked;
  const consumed: ConsumedUnits[] = [];
  for (const capacity of [reported ?? []].flat()) {
    const { Table, GlobalSecondaryIndexes = {} } = capacity;
    const ofTable = unitsOf(Table ? 'table' : asked.index, Table ?? capacity, unit);
    consumed.push(...(Table ? ofTable : ofTable.map((one) => ({ ...one, isSum: true }))));
    for (const index of Object.keys(GlobalSecondaryIndexes)) {
      consumed.push(...unitsOf(index, GlobalSecondaryIndexes[index] ?? {}, unit));
    }
  }
  return consumed;
}

function unitsOf(index: string, capacity: Capacity, unit: Unit): ConsumedUnits[] {
  const { CapacityUnits = 0, ReadCapacityUnits = 0, WriteCapacityUnits = 0 } = capacity;
  // Transactions tell the two apart: one that is sent again after it took place only reads (API reference).
  if (ReadCapacityUnits === 0 && WriteCapacityUnits === 0) {
    return [{ index, unit, units: CapacityUnits }];
  }
  const both = [
    { index, unit: 'read' as const, units: ReadCapacityUnits },
    { index, unit: 'write' as const, units: WriteCapacityUnits },
  ];
  return both.filter(({ units }) => units > 0);
}
