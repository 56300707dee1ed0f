/**
 * A partition family (`LIST#DEVICE`, one device's readings, …) is spread over a number of keys that grows by itself.
 * `ShardEpoch[]` is its history; without one, everything is in shard 0.
 */
export interface ShardEpoch {
  /** Epoch milliseconds: items of this time or later may be in any of `count` shards. 0 for families without times. */
  since: number;
  /** A power of two from 1 to `maxShards`. */
  count: number;
  /** Epoch milliseconds from which a process may use the epoch without waiting (`learnEpochs`). */
  from: number;
}

export const maxShards = 64;

/** Maximum age of epochs that a reader uses, counted from the start of the read. */
export const maxStalenessMs = 5000;

/**
 * Time that a writer waits before it uses an epoch that it has just read: then every reader knows the epoch. It was
 * published before any process could read it, readers use epochs for at most 5 s, and 2 s are a margin for a read in
 * flight.
 */
export const activationDelayMs = 7000;

/**
 * Age from which every process knows an epoch: the write that published it has ended long before, and clocks differ by
 * a few seconds at most.
 */
export const historyDelayMs = 60_000;

/** The shard of an item among `count` shards: constant for an id, on every machine and in every release. */
export function shardOf(id: string, count: number): number {
  return mix(fnv1a(id)) % count;
}

/**
 * The number of shards that may contain items of `time`, and that a reader must query for items up to and including
 * it. Counts only grow, so this covers every earlier epoch and writers that do not know the newest one yet.
 */
export function shardCountAt(epochs: readonly ShardEpoch[], time: number): number {
  return Math.max(1, ...epochs.filter(({ since }) => since <= time).map(({ count }) => count));
}

/** An epoch as one process knows it. */
export interface KnownEpoch extends ShardEpoch {
  /** Earliest use of the epoch by this process, on its monotonic clock. */
  usableAt: number;
}

/** The time on two clocks: `wall` in epoch milliseconds, `steady` in milliseconds of the process's monotonic clock. */
export interface ClockTimes {
  wall: number;
  steady: number;
}

/**
 * The state of a process after reading these epochs. It may write by a new epoch after `activationDelayMs`, or earlier
 * if the epoch is so old that every reader knows it.
 */
export function learnEpochs(
  known: readonly KnownEpoch[],
  epochs: readonly ShardEpoch[],
  times: ClockTimes,
): KnownEpoch[] {
  return epochs.map((epoch) => {
    const { since, count, from } = epoch;
    const before = known.find(
      (one) => one.since === since && one.count === count && one.from === from,
    );
    return before ?? { since, count, from, usableAt: usableAt(from, times) };
  });
}

/** Earliest use of what this process has just read, on its monotonic clock. @param from as in `ShardEpoch` */
export function usableAt(from: number, { wall, steady }: ClockTimes): number {
  return steady + Math.min(activationDelayMs, Math.max(0, from - wall));
}

/** The number of shards that a writer may use for items of `time`; `steady` as in `learnEpochs`. */
export function shardsToWrite(known: readonly KnownEpoch[], time: number, steady: number): number {
  return shardCountAt(
    known.filter(({ usableAt }) => usableAt <= steady),
    time,
  );
}

/**
 * The epochs and a new one, with `count` shards for items of `since` or later.
 * @param now epoch milliseconds
 */
export function grownEpochs(
  epochs: readonly ShardEpoch[],
  { since, count, now }: { since: number; count: number; now: number },
): ShardEpoch[] {
  const before = epochs.map(({ since, count, from }) => ({ since, count, from }));
  return [...before, { since, count, from: now + historyDelayMs }];
}

/** Target utilization of a partition after a growth. */
export const targetUtilization = 0.7;

/**
 * The number of shards after a growth: twice `count`, or as many doublings as the demand requires, up to `maxShards`.
 * @param demand of the hottest shard, as a multiple of the limit of one partition
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

/**
 * The finaliser of MurmurHash3: a count that is a power of two uses only the low bits, which FNV
 * distributes unevenly.
 */
function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
