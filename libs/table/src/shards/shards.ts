import type { ReadPlan, ShardFamily } from '@engawa/keys';

/** The number of shards of each family of index keys. */
export interface Shards {
  /** The number of shards that a writer may use now. */
  toWrite(family: ShardFamily): number;
  /** The number of shards that a reader must query. @throws Problem `table-unavailable` where the map cannot be read */
  toRead(family: ShardFamily): Promise<number>;
  /** As `toRead`, with the order of the Queries while entries move. */
  readPlan(family: ShardFamily): Promise<ReadPlan>;
}

/** The same number for all families, for a command that writes a table exclusively. */
export function fixedShards(count: number): Shards {
  return {
    toWrite: () => count,
    toRead: () => Promise.resolve(count),
    readPlan: () => Promise.resolve({ count }),
  };
}
