import { deviceKey, learnEpochs } from '@engawa/keys';
import { epochDocuments, unlessDeleted } from '@engawa/model';
import { absent, allOf, ConditionFailed, equal, present } from '@engawa/table';
import type { KnownEpoch, ShardEpoch } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { Table } from '@engawa/table';

export interface ShardChange {
  id: string;
  /** The expected epochs of the item. */
  before: readonly ShardEpoch[];
  after: readonly ShardEpoch[];
}

export interface ReplacedShards {
  isReplaced: boolean;
  /** The current item; undefined if the device does not exist. */
  item: Document | undefined;
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

/** Writes the shards to the device's item, unless the item has changed: of several replicas one succeeds. */
export async function replaceShards(
  table: Pick<Table, 'update'>,
  { id, before, after }: ShardChange,
): Promise<ReplacedShards> {
  const isStill = before.length === 0 ? absent('shards') : equal('shards', epochDocuments(before));
  const change = {
    set: { shards: epochDocuments(after) },
    onlyIf: allOf(present('version'), isStill),
  };
  try {
    return { isReplaced: true, item: await table.update(deviceKey(id), change) };
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return { isReplaced: false, item: unlessDeleted(error.item) };
  }
}
