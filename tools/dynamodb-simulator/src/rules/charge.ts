import { compareIndexed, isSameIndexed } from './stored-item.ts';
import type { Document } from './exceptions.ts';
import type { IndexedItem, StoredItem } from './stored-item.ts';
import type { IndexSchema, TableSchema } from './schema.ts';

export type Unit = 'read' | 'write';

/** Capacity units that a request consumes of one partition key of a table or an index. */
export interface Charge {
  table: string;
  /** `table`, or the index's name. */
  target: string;
  /** Of the table or of the index. */
  arn: string;
  unit: Unit;
  /** The partition key as text (`partitionText`); undefined if it is unknown, or for a Scan. */
  key: string | undefined;
  units: number;
}

/** @param index undefined for the table itself */
export function chargeOf(
  table: TableSchema,
  index: IndexSchema | undefined,
  taken: Pick<Charge, 'unit' | 'key' | 'units'>,
): Charge {
  const { arn } = index ?? table;
  return { table: table.name, target: index?.name ?? 'table', arn, ...taken };
}

/** Bytes per unit (developer guide, "DynamoDB read and write operations"). */
const writeBytes = 1024;
const readBytes = 4096;

export interface ReadKind {
  isConsistent: boolean;
  isTransaction?: boolean;
}

/** @param bytes of an item, or of all items that a Query has read; 0 costs as much as the smallest item */
export function readUnits(bytes: number, { isConsistent, isTransaction }: ReadKind): number {
  const factor = isTransaction === true ? 2 : isConsistent ? 1 : 0.5;
  return startedUnits(bytes, readBytes) * factor;
}

/**
 * @param factor of the table: 2 for a transaction, which prepares and commits. An index is charged as for a single
 * write (measured on AWS: https://github.com/nubo-db/dynoxide/pull/188)
 */
export function writeCharges(
  table: TableSchema,
  partition: string,
  [before, after]: readonly [StoredItem | undefined, StoredItem | undefined],
  factor: 1 | 2,
): Charge[] {
  const bytes = Math.max(before?.bytes ?? 0, after?.bytes ?? 0);
  const units = startedUnits(bytes, writeBytes) * factor;
  const charges = [chargeOf(table, undefined, { unit: 'write', key: partition, units })];
  if (before === after) return charges;
  for (const [number, index] of table.indexes.entries()) {
    const [old, now] = [before?.indexed[number], after?.indexed[number]];
    for (const { partition: key, units: written } of indexWrites(old, now)) {
      charges.push(chargeOf(table, index, { unit: 'write', key, units: written }));
    }
  }
  return charges;
}

/** Removals and insertions of an index (developer guide, "Provisioned throughput considerations for GSIs"). */
function indexWrites(old: IndexedItem | undefined, now: IndexedItem | undefined) {
  if (isSameIndexed(old, now)) return [];
  const of = (one: IndexedItem) => ({
    partition: one.partition,
    units: startedUnits(one.bytes, writeBytes),
  });
  if (old === undefined || now === undefined)
    return [old, now].flatMap((one) => (one ? [of(one)] : []));
  const [out, into] = [of(old), of(now)];
  if (old.partition !== now.partition) return [out, into];
  const isInPlace = compareIndexed(old, now) === 0;
  const units = isInPlace ? Math.max(out.units, into.units) : out.units + into.units;
  return [{ ...into, units }];
}

function startedUnits(bytes: number, unitBytes: number): number {
  return Math.max(1, Math.ceil(bytes / unitBytes));
}

/**
 * The ConsumedCapacity of each table.
 * @param detail the request's ReturnConsumedCapacity
 */
export function consumedCapacities(
  charges: readonly Charge[],
  detail: string,
  isTransaction = false,
): Document[] {
  if (detail === 'NONE') return [];
  const tables = [...Map.groupBy(charges, ({ table }) => table)];
  return tables.map(([TableName, own]) => {
    const total = { TableName, ...capacityOf(own, isTransaction) };
    if (detail !== 'INDEXES') return total;
    const targets = Map.groupBy(own, ({ target }) => target);
    const indexes = [...targets].filter(([target]) => target !== 'table');
    return {
      ...total,
      Table: capacityOf(targets.get('table') ?? [], isTransaction),
      ...(indexes.length > 0 && {
        GlobalSecondaryIndexes: Object.fromEntries(
          indexes.map(([target, taken]) => [target, capacityOf(taken, isTransaction)]),
        ),
      }),
    };
  });
}

function capacityOf(charges: readonly Charge[], isTransaction: boolean): Document {
  const CapacityUnits = charges.reduce((sum, { units }) => sum + units, 0);
  if (!isTransaction) return { CapacityUnits };
  const name = charges[0]?.unit === 'read' ? 'ReadCapacityUnits' : 'WriteCapacityUnits';
  return { CapacityUnits, [name]: CapacityUnits };
}
