import {
  blockRange,
  correctionAndRowPrefix,
  deviceMembershipsPartition,
  devicePartition,
  earliestInstant,
  rollupPrefix,
} from '@engawa/keys';
import { purgeFound } from './purge-found.ts';
import type { ParsedKey } from '@engawa/keys';
import type { PurgeOptions } from './purge-found.ts';

export interface DeviceRemains {
  id: string;
  shards: number;
  deletedAt: number;
}

/**
 * Purges the readings of a deleted device that are older than the deletion, their rollups and
 * sketches, its corrections and its history. Readings first: a rollup that query makes meanwhile,
 * of remaining readings, is deleted after them. Newer readings are kept.
 */
export async function purgeDevice(
  options: PurgeOptions,
  { id, shards, deletedAt }: DeviceRemains,
): Promise<void> {
  const consistent = true;
  for (let shard = 0; shard < shards; shard++) {
    const sk = blockRange(earliestInstant, deletedAt + 1);
    await purgeFound(options, { pk: devicePartition(id, shard), sk, consistent });
  }
  const rollups = { pk: devicePartition(id), sk: { beginsWith: rollupPrefix }, consistent };
  const isOlder = (key: ParsedKey) => key.item === 'rollup' && key.start <= deletedAt;
  await purgeFound(options, rollups, isOlder);
  const corrections = { beginsWith: correctionAndRowPrefix };
  await purgeFound(options, { pk: devicePartition(id), sk: corrections, consistent });
  const pk = deviceMembershipsPartition(id);
  await purgeFound(options, { index: 'gsi1', pk, sk: { beginsWith: 'MEMBER#' } });
}
