import { unitBytes } from '../limits.ts';
import type { Partition, Unit } from '@engawa/heat';

/** What of a request is charged, and throttled, for itself: an item that is written or read, or a question. */
export interface Part {
  /** Of the table's key, where parts of the request may come back. */
  readonly id?: string;
  /** Its partition keys: the table's first, then the indexes' that are known. A question has that of what it asks. */
  readonly partitions: readonly Partition[];
  /** Whether it may be in an index without our knowing its key there. */
  readonly isOpen: boolean;
  /** Bytes as DynamoDB counts them, as far as can be known. Looks through the item, so ask only where it matters. */
  size(): number;
  /** At least that many, where they are known without looking. */
  readonly bytes?: number;
}

/** What a request is charged for. */
export interface Charges {
  unit: Unit;
  /** Units of the smallest part. */
  least: number;
  parts: readonly Part[];
}

/** The attributes of an item that heat is about. */
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

export function partitionIn(index: string, { partitions }: Part): Partition | undefined {
  return partitions.find((partition) => partition.index === index);
}

/** Units that a part takes by its size. */
export function unitsBySize(part: Part, { unit, least }: Charges): number {
  // What is small even with what is around it need not be looked through.
  const isSmall = part.bytes !== undefined && part.bytes <= unitBytes[unit];
  return least * (isSmall ? 1 : started(unit, part.size()));
}

/** Units of the smallest part that so many bytes take: how many are begun, and one for nothing. */
export function started(unit: Unit, bytes: number): number {
  return Math.max(1, Math.ceil(bytes / unitBytes[unit]));
}
