/**
 * A partition family (`LIST#DEVICE`, one device's readings, …) is spread over a number of keys that only grows.
 * `ShardEpoch[]` is its history; without one, everything is in shard 0.
 */
export interface ShardEpoch {
  /** Epoch milliseconds. What happened at this time or later may be in any of `count` shards; 0 where the time of nothing matters. */
  since: number;
  /** A power of two from 1 to `maxShards`. */
  count: number;
  /** Epoch milliseconds from which nobody has to wait any more before using it (`learnEpochs`). */
  from: number;
}

export const maxShards = 64;

/** Milliseconds for which a reader may go on with the epochs that it has read, counted from when it began to read them. */
export const maxStalenessMs = 5000;

/**
 * Milliseconds that a writer waits once it has learned of an epoch: by then every reader knows it. It was published before
 * anybody could learn of it, a reader's belief lasts 5 s, and 2 s are left for a read that was on its way.
 */
export const activationDelayMs = 7000;

/**
 * Milliseconds after which an epoch is old to everybody: the write that published it has ended long ago, and clocks may
 * differ by some seconds.
 */
const historyDelayMs = 60_000;

/** The shard of an item among `count`: the same for the same id, on every machine, for ever. */
export function shardOf(id: string, count: number): number {
  return mix(fnv1a(id)) % count;
}

/** How many shards what happened at `time` may be in. */
export function shardCountAt(epochs: readonly ShardEpoch[], time: number): number {
  return Math.max(1, ...epochs.filter(({ since }) => since <= time).map(({ count }) => count));
}

/**
 * How many shards a reader must ask for what happened up to and including `time`. Counts only grow, so this sees everything
 * that any earlier epoch wrote, and a writer with an old list is merely late.
 */
export const shardsToRead = shardCountAt;

/** An epoch as one process knows it. */
export interface KnownEpoch extends ShardEpoch {
  /** When this process may begin to write by it, on its own clock that never goes back. */
  usableAt: number;
}

/** The time in two ways: `wall` in epoch milliseconds, `steady` on a clock of this process that never goes back. */
export interface Moment {
  wall: number;
  steady: number;
}

/**
 * What a process knows once it has read these epochs. A new one has to wait: for `activationDelayMs`, or for less where it is so old
 * that every reader must know it whatever the clocks say.
 */
export function learnEpochs(
  known: readonly KnownEpoch[],
  epochs: readonly ShardEpoch[],
  { wall, steady }: Moment,
): KnownEpoch[] {
  return epochs.map((epoch) => {
    const { since, count, from } = epoch;
    const before = known.find(
      (one) => one.since === since && one.count === count && one.from === from,
    );
    const wait = Math.min(activationDelayMs, Math.max(0, from - wall));
    return before ?? { since, count, from, usableAt: steady + wait };
  });
}

/** How many shards a writer may use for what happened at `time`; `steady` as in `learnEpochs`. */
export function shardsToWrite(known: readonly KnownEpoch[], time: number, steady: number): number {
  return shardCountAt(
    known.filter(({ usableAt }) => usableAt <= steady),
    time,
  );
}

/**
 * The epochs with one more, of `count` shards for what happened at `since` or later.
 * @param now epoch milliseconds
 */
export function grownEpochs(
  epochs: readonly ShardEpoch[],
  { since, count, now }: { since: number; count: number; now: number },
): ShardEpoch[] {
  const before = epochs.map(({ since, count, from }) => ({ since, count, from }));
  return [...before, { since, count, from: now + historyDelayMs }];
}

/** A key is well used up to this share of what a partition takes. */
export const targetUtilization = 0.7;

/**
 * How many shards are to follow `count`: twice as many, or as many doublings as the demand takes, up to `maxShards`.
 * @param demand how often what is wanted of the hottest shard goes into what one partition takes
 */
export function grownCount(count: number, demand: number): number {
  const wanted = Math.max(2 * count, (count * demand) / targetUtilization);
  return Math.min(maxShards, 2 ** Math.ceil(Math.log2(wanted)));
}

/** FNV-1a, 32 bits, over UTF-16 units (http://www.isthe.com/chongo/tech/comp/fnv/). */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** The finaliser of MurmurHash3: FNV's low bits alone are uneven, and a count that is a power of two uses only those. */
function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
