import { parkedPartition, parkedShards } from '@engawa/keys';
import { Violation } from '../world/violation.ts';
import type { TableModel } from '../table/index.ts';

const partitions = new Set(
  Array.from({ length: parkedShards }, (_, shard) => parkedPartition(shard)),
);

/** Partition and sort keys of the readings that are kept aside for a throttled key. */
export function parkedBlocks(table: Pick<TableModel, 'items'>): string[] {
  const keys: string[] = [];
  for (const item of table.items()) {
    const { pk, sk } = item as unknown as Record<string, { S: string } | undefined>;
    if (partitions.has(pk?.S ?? '')) keys.push(`${pk?.S} ${sk?.S}`);
  }
  return keys;
}

/** @throws Violation for readings that are still kept aside for a throttled key */
export function checkNothingParked(table: Pick<TableModel, 'items'>): void {
  const keys = parkedBlocks(table);
  if (keys.length === 0) return;
  throw new Violation(`readings are still parked, though no key is throttled: ${keys.join(', ')}`);
}
