import { unitBytes } from '../limits.ts';
import type { Partition, Unit } from '@engawa/heat';

/** The part of a request that is charged and throttled for itself: an item that is written or read, or a Query. */
export interface ChargedPart {
  /** Of the table's key, in requests whose parts may come back unprocessed. */
  readonly id?: string;
  /**
   * Its partition keys: the table's first, then those of indexes as far as known. A Query has the
   * one that it reads.
   */
  readonly partitions: readonly Partition[];
  /** Whether an index may hold it under a key that the request does not show. */
  readonly mayHaveUnknownIndexKeys: boolean;
  /** Bytes as DynamoDB counts them, as far as known. Walks through the item: call it only where the size matters. */
  size(): number;
  /** An upper bound of `size()`, where one is known without walking. */
  readonly bytes?: number;
}

/** What a request is charged for. */
export interface RequestCharges {
  unit: Unit;
  /** Units of the smallest part. */
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

/** Units of so many bytes, rounded up; one for none. A transaction or an eventually consistent read multiplies them. */
export function unitsOfBytes(unit: Unit, bytes: number): number {
  return Math.max(1, Math.ceil(bytes / unitBytes[unit]));
}
