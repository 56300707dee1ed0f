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
  /** What its item is thought to say. */
  epochs: readonly ShardEpoch[];
}

/**
 * What is known once a device's item has been read. What was known already is not forgotten: an answer may come late, and an
 * item that somebody has deleted and made anew knows nothing of the keys that its readings go to.
 */
export function learnShards(
  known: readonly KnownEpoch[],
  epochs: readonly ShardEpoch[],
): KnownEpoch[] {
  const learned = learnEpochs(known, epochs, { wall: Date.now(), steady: performance.now() });
  return [...learned, ...missingIn(epochs, known)];
}

/** Those of `known` that are not among `epochs`. */
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
 * Writes to the device's item what is known here of its shards, unless the item has changed meanwhile. @returns the item as it
 * is then; undefined where it is not there any more
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
