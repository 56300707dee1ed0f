import { parkedPartition, parkedShards } from '@engawa/keys';
import { Violation } from '../world/violation.ts';
import type { TableModel } from '../table/index.ts';

const partitions = new Set(
  Array.from({ length: parkedShards }, (_, shard) => parkedPartition(shard)),
);

/** Partition and sort keys of all parked blocks. */
export function parkedBlocks(table: Pick<TableModel, 'items'>): string[] {
  const keys: string[] = [];
  for (const item of table.items()) {
    const { pk, sk } = item as unknown as Record<string, { S: string } | undefined>;
    if (partitions.has(pk?.S ?? '')) keys.push(`${pk?.S} ${sk?.S}`);
  }
  return keys;
}

/** @throws Violation if any block is still parked */
export function checkNothingParked(table: Pick<TableModel, 'items'>): void {
  const keys = parkedBlocks(table);
  if (keys.length === 0) return;
  throw new Violation(`readings are still parked, though no key is throttled: ${keys.join(', ')}`);
}
