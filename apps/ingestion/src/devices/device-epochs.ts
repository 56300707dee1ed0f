import { deviceKey, learnEpochs } from '@engawa/keys';
import { epochDocuments, unlessDeleted } from '@engawa/model';
import { absent, allOf, ConditionFailed, equal, present } from '@engawa/table';
import { retryForever } from '../concurrency/retry-forever.ts';
import type { KnownEpoch, ShardEpoch } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { RetryOptions } from '../concurrency/retry-forever.ts';

export interface ReplaceShardsOptions extends RetryOptions {
  table: Pick<Table, 'update'>;
  device: { id: string; shards: readonly ShardEpoch[] };
  /** The expected epochs of the item. */
  epochs: readonly ShardEpoch[];
}

/**
 * The shards that are known after reading a device's item. Shards that were known before are kept: a response may be
 * late, and the item of a device that was deleted and registered again does not list the shards that hold readings.
 */
export function learnShards(
  known: readonly KnownEpoch[],
  epochs: readonly ShardEpoch[],
): KnownEpoch[] {
  const learned = learnEpochs(known, epochs, { wall: Date.now(), steady: performance.now() });
  return [...learned, ...missingIn(epochs, known)];
}

/** The epochs of `known` that are not in `epochs`. */
export function missingIn<Epoch extends ShardEpoch>(
  epochs: readonly ShardEpoch[],
  known: readonly Epoch[],
): Epoch[] {
  return known.filter((one) => !epochs.some((epoch) => isSame(one, epoch)));
}

function isSame(left: ShardEpoch, right: ShardEpoch): boolean {
  return left.since === right.since && left.count === right.count && left.from === right.from;
}

/**
 * Writes the known shards to the device's item, unless the item has changed.
 * @returns the current item; undefined if it does not exist
 */
export async function replaceShards(options: ReplaceShardsOptions): Promise<Document | undefined> {
  const { table, device, epochs } = options;
  const isStill = epochs.length === 0 ? absent('shards') : equal('shards', epochDocuments(epochs));
  const change = {
    set: { shards: epochDocuments(device.shards) },
    onlyIf: allOf(present('version'), isStill),
  };
  try {
    return await retryForever(() => table.update(deviceKey(device.id), change), options);
  } catch (error) {
    if (error instanceof ConditionFailed) return unlessDeleted(error.item);
    throw error;
  }
}
