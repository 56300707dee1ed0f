import { isEqual, itemBytes, keyText } from './attribute.ts';
import { inIndex, keyOf } from './schema.ts';
import type { Item } from './attribute.ts';
import type { IndexSchema, TableSchema } from './schema.ts';

export type Unit = 'read' | 'write';

/** Capacity units that a request takes of one partition key of a table or of an index. */
export interface Charge {
  table: string;
  /** `table`, or the index's name. */
  target: string;
  /** Of the table or of the index. */
  arn: string;
  unit: Unit;
  /** The partition key's value; undefined where a request has none (Scan). */
  key: string | undefined;
  units: number;
}

/** Bytes per unit (developer guide, "DynamoDB read and write operations"). */
const writeBytes = 1024;
const readBytes = 4096;

export function writeUnits(item: Item): number {
  return Math.max(1, Math.ceil(itemBytes(item) / writeBytes));
}

/** @param factor 0.5 for a read that need not be consistent, 1 for one that is, 2 in a transaction */
export function readUnits(bytes: number, factor: number): number {
  return Math.max(1, Math.ceil(bytes / readBytes)) * factor;
}

/**
 * The cost of replacing `before` with `after` (undefined: no item): the larger of the two in the
 * table; in each index its removed and added entries.
 * @param factor of the table: 2 in a transaction. An index is charged as for a single write (measured on AWS:
 * https://github.com/nubo-db/dynoxide/pull/188)
 */
export function writeCharges(
  table: TableSchema,
  key: Item,
  [before, after]: readonly [Item | undefined, Item | undefined],
  factor: number,
): Charge[] {
  const units = Math.max(writeUnits(before ?? {}), writeUnits(after ?? {})) * factor;
  const own = {
    table: table.name,
    target: 'table',
    arn: table.arn,
    unit: 'write' as const,
    key: keyText(key[table.key.partition]),
    units,
  };
  return [own, ...table.indexes.flatMap((index) => indexCharges(table, index, before, after))];
}

function indexCharges(
  table: TableSchema,
  index: IndexSchema,
  before: Item | undefined,
  after: Item | undefined,
): Charge[] {
  const [old, now] = [inIndex(index, before), inIndex(index, after)];
  const charge = (item: Item, units: number): Charge => ({
    table: table.name,
    target: index.name,
    arn: index.arn,
    unit: 'write',
    key: keyText(item[index.key.partition]),
    units,
  });
  if (old === undefined && now === undefined) return [];
  if (old === undefined) return [charge(now ?? {}, writeUnits(now ?? {}))];
  if (now === undefined) return [charge(old, writeUnits(old))];
  if (!isEqual(keyOf(index.key, old), keyOf(index.key, now))) {
    const [out, into] = [charge(old, writeUnits(old)), charge(now, writeUnits(now))];
    return out.key === into.key ? [{ ...into, units: out.units + into.units }] : [out, into];
  }
  return isEqual(old, now) ? [] : [charge(now, Math.max(writeUnits(old), writeUnits(now)))];
}

/** The units of `actual` above those of `expected`, by partition key. */
export function beyond(expected: readonly Charge[], actual: readonly Charge[]): Charge[] {
  const paid = new Map<string, number>();
  const nameOf = ({ table, target, key }: Charge) => JSON.stringify([table, target, key]);
  for (const charge of expected) {
    paid.set(nameOf(charge), (paid.get(nameOf(charge)) ?? 0) + charge.units);
  }
  return actual.flatMap((charge) => {
    const left = paid.get(nameOf(charge)) ?? 0;
    paid.set(nameOf(charge), Math.max(0, left - charge.units));
    return charge.units > left ? [{ ...charge, units: charge.units - left }] : [];
  });
}

/** DynamoDB's ConsumedCapacity of one table. */
export function consumedCapacity(
  table: string,
  charges: readonly Charge[],
  detail: string,
): object {
  const units = (of: readonly Charge[]) => of.reduce((sum, charge) => sum + charge.units, 0);
  const total = { TableName: table, CapacityUnits: units(charges) };
  if (detail !== 'INDEXES') return total;
  const targets = Map.groupBy(charges, ({ target }) => target);
  const indexes = [...targets].filter(([target]) => target !== 'table');
  return {
    ...total,
    Table: { CapacityUnits: units(targets.get('table') ?? []) },
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: Object.fromEntries(
        indexes.map(([target, own]) => [target, { CapacityUnits: units(own) }]),
      ),
    }),
  };
}
