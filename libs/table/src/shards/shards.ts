import type { ShardFamily } from '@engawa/keys';

/** Over how many keys each family of index keys is spread. */
export interface Shards {
  /** How many a writer may use now. */
  toWrite(family: ShardFamily): number;
  /** How many a reader has to ask. @throws Problem `table-unavailable` where that cannot be known */
  toRead(family: ShardFamily): Promise<number>;
}

/** The same number for all families, for who writes into a table of its own. */
export function fixedShards(count: number): Shards {
  return { toWrite: () => count, toRead: () => Promise.resolve(count) };
}
