import {
  activationDelayMs,
  grownCount,
  grownEpochs,
  historyDelayMs,
  learnEpochs,
  shardCountAt,
  shardsToWrite,
  usableAt,
} from './shards.ts';
import type { ClockTimes, KnownEpoch, ShardEpoch } from './shards.ts';

/**
 * Makes the shards of a family fewer (docs/adr/0144): writers use `count` shards, and readers query all shards of the
 * epochs until the entries of the higher ones have moved.
 */
export interface Shrink {
  /** A power of two, less than the shards of the epochs. */
  count: number;
  /** Number of epochs at its start: a growth adds an epoch, which cancels the shrink. */
  epochs: number;
  /** As `ShardEpoch.from`. */
  from: number;
}

/** A family of index keys in the shard map. */
export interface FamilyShards {
  epochs: readonly ShardEpoch[];
  shrink?: Shrink | undefined;
  /** How often a shrink began or ended. Of two states, the later one has more of these or, if equal, more epochs. */
  version: number;
}

/** A family as one process knows it. */
export interface KnownFamily extends FamilyShards {
  epochs: readonly KnownEpoch[];
  /** From `usableAt` on, every reader knows the shrink, so that entries may move. */
  shrink?: (Shrink & Pick<KnownEpoch, 'usableAt'>) | undefined;
}

/** The shards that a reader must query. */
export interface ReadPlan {
  count: number;
  /** Entries are moving to shards below this number: these are queried after all others have responded. */
  movingBelow?: number;
}

/** A family that is not in the map. */
export const unsharded: KnownFamily = { epochs: [], version: 0 };

/**
 * Maximum age of the map for a writer to use a shard other than 0, counted from the start of the read: this long after
 * the start of a shrink, no writer begins to write to a higher shard, whether or not it can read the map. Readers
 * always query shard 0.
 */
export const maxWriterStalenessMs = activationDelayMs;

/** Index entries have no time: every epoch applies to them. */
const always = Infinity;

/** Maximum duration of a move that began before its process learned of the cancellation. */
const maxMoveMs = 30_000;

/** The state after reading `stored`; a late response does not replace a newer state. */
export function learnFamily(
  known: KnownFamily,
  stored: FamilyShards,
  times: ClockTimes,
): KnownFamily {
  if (isOlder(stored, known)) return known;
  const { shrink, version } = stored;
  const epochs = learnEpochs(known.epochs, stored.epochs, times);
  if (shrink === undefined) return { epochs, version };
  const isKnown = known.version === version && known.shrink !== undefined;
  return {
    epochs,
    version,
    shrink: isKnown ? known.shrink : { ...shrink, usableAt: usableAt(shrink.from, times) },
  };
}

function isOlder(one: FamilyShards, other: FamilyShards): boolean {
  if (one.version !== other.version) return one.version < other.version;
  return one.epochs.length < other.epochs.length;
}

/** The shrink of the family, unless a growth has cancelled it. */
export function activeShrink({ epochs, shrink }: KnownFamily): KnownFamily['shrink'] {
  return shrink?.epochs === epochs.length ? shrink : undefined;
}

/** The number of shards that may have entries. */
export function familyShards({ epochs }: FamilyShards): number {
  return shardCountAt(epochs, always);
}

/**
 * The number of shards that a writer may use now; `steady` as in `learnEpochs`. A shrink needs no waiting: readers
 * query the lower shards anyway.
 */
export function familyShardsToWrite(family: KnownFamily, steady: number): number {
  const count = shardsToWrite(family.epochs, always, steady);
  return Math.min(count, activeShrink(family)?.count ?? count);
}

/** @param steady as in `learnEpochs` */
export function readPlanOf(family: KnownFamily, steady: number): ReadPlan {
  const count = familyShards(family);
  const { epochs, shrink } = family;
  if (shrink === undefined) return { count };
  const usable = Math.max(...epochs.map((epoch) => epoch.usableAt));
  // After a cancellation, moves may still be in flight.
  const isMoving = activeShrink(family) !== undefined || steady < usable + maxMoveMs;
  return isMoving ? { count, movingBelow: shrink.count } : { count };
}

/**
 * Adds shards to those that writers use, and so cancels a shrink. Readers never query fewer than before.
 * @param demand as in `grownCount`
 * @param now epoch milliseconds
 */
export function grownFamily(
  family: KnownFamily,
  { demand, now }: { demand: number; now: number },
): { before: number; count: number; epochs: ShardEpoch[] } {
  const before = activeShrink(family)?.count ?? familyShards(family);
  const count = Math.max(familyShards(family), grownCount(before, demand));
  return { before, count, epochs: grownEpochs(family.epochs, { since: 0, count, now }) };
}

/** @param now epoch milliseconds */
export function begunShrink({ epochs }: FamilyShards, count: number, now: number): Shrink {
  return { count, epochs: epochs.length, from: now + historyDelayMs };
}

/** The epochs after a shrink. Nobody waits for their use: readers have always queried these shards. */
export function shrunkEpochs({ count }: Shrink): ShardEpoch[] {
  return [{ since: 0, count, from: 0 }];
}
