/**
 * A partition family (`LIST#DEVICE`, one device's readings, …) is spread over a number of keys that only
 * grows. `ShardEpoch[]` is its history, oldest first; without one, everything is in shard 0.
 */
export interface ShardEpoch {
  /** Epoch milliseconds from which `count` holds. */
  since: number;
  /** A power of two from 1 to `maximumShards`. */
  count: number;
}

export const maximumShards = 64;

/** The shard of an item among `count`: the same for the same id, on every machine, for ever. */
export function shardOf(id: string, count: number): number {
  return mix(fnv1a(id)) % count;
}

/** How many shards a writer may use for what happened at `time`. */
export function shardCountAt(epochs: readonly ShardEpoch[], time: number): number {
  return Math.max(1, ...epochs.filter(({ since }) => since <= time).map(({ count }) => count));
}

/**
 * How many shards a reader must ask for what happened up to and including `time`. Counts only grow, so this
 * sees everything that any earlier epoch wrote, and a writer with an old list is merely late.
 */
export const shardsToRead = shardCountAt;

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
