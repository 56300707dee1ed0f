import { unitBytes } from '../limits.ts';
import type { Partition, Unit } from '@engawa/heat';

/** A part of a request with its own charge and throttling: an item that is written or read, or a Query. */
export interface ChargedPart {
  /** Id of the table's key, in requests whose parts may be returned unprocessed. */
  readonly id?: string;
  /** Its partition keys: the table's first, then the known keys of indexes. A Query has one key. */
  readonly partitions: readonly Partition[];
  /** Whether an index may contain the item under a key that is not in the request. */
  readonly mayHaveUnknownIndexKeys: boolean;
  /** Size in bytes by DynamoDB's count, as far as known. Walks through the item: call it only if the size matters. */
  size(): number;
  /** An upper bound of `size()`, if known without a walk. */
  readonly bytes?: number;
}

/** The charge of a request. */
export interface RequestCharges {
  unit: Unit;
  /** Minimum units of a part. */
  minUnits: number;
  parts: readonly ChargedPart[];
}

/** The partition keys in an item. */
export interface PartitionKeys {
  pk: string;
  gsi1pk?: string | undefined;
  gsi2pk?: string | undefined;
}

export function partitionsOf(unit: Unit, { pk, gsi1pk, gsi2pk }: PartitionKeys): Partition[] {
  const partitions: Partition[] = [{ index: 'table', unit, partition: pk }];
  if (gsi1pk !== undefined) partitions.push({ index: 'gsi1', unit, partition: gsi1pk });
  if (gsi2pk !== undefined) partitions.push({ index: 'gsi2', unit, partition: gsi2pk });
  return partitions;
}

export function partitionIn(index: string, { partitions }: ChargedPart): Partition | undefined {
  return partitions.find((partition) => partition.index === index);
}

/** Units of a part by its size. */
export function unitsBySize(part: ChargedPart, { unit, minUnits }: RequestCharges): number {
  // An upper bound within one unit saves the walk through the item.
  const isSmall = part.bytes !== undefined && part.bytes <= unitBytes[unit];
  return minUnits * (isSmall ? 1 : unitsOfBytes(unit, part.size()));
}

/**
 * Units of a size in bytes, rounded up; one for 0 bytes. A transaction or an eventually consistent read multiplies
 * them.
 */
export function unitsOfBytes(unit: Unit, bytes: number): number {
  return Math.max(1, Math.ceil(bytes / unitBytes[unit]));
}
