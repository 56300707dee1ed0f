import {
  blockRange,
  deviceKey,
  deviceMembershipsPartition,
  devicePartition,
  earliestInstant,
  rollupRange,
} from '@engawa/keys';
import { rollupWidths } from '@engawa/model';
import { eraseFound, membershipsUntil } from './erase-found.ts';
import { horizonOf } from './horizon.ts';
import type { EraseOptions } from './erase-found.ts';

export interface DeviceRemains {
  id: string;
  shards: number;
  before: number;
}

/**
 * The readings, the rollups made of them, and the history of a device that has been deleted. Readings first: a rollup that is
 * made meanwhile, of those that are still there, goes after them.
 */
export async function eraseDevice(
  options: EraseOptions,
  { id, shards, before }: DeviceRemains,
): Promise<void> {
  const consistent = true;
  for (let shard = 0; shard < shards; shard++) {
    const sk = blockRange(earliestInstant, before + 1);
    await eraseFound(options, { pk: devicePartition(id, shard), sk, consistent });
  }
  for (const width of Object.keys(rollupWidths)) {
    const sk = rollupRange(width, earliestInstant, before);
    await eraseFound(options, { pk: devicePartition(id), sk, consistent });
  }
  const memberships = {
    index: 'gsi1',
    pk: deviceMembershipsPartition(id),
    sk: { beginsWith: 'MEMBER#' },
  } as const;
  const horizon = await horizonOf(options.table, { key: deviceKey(id), before });
  await eraseFound(options, memberships, membershipsUntil(horizon));
}
