import { shardOf } from '@engawa/keys';
import { deadLetterPrefix } from '@engawa/model';

/**
 * Over how many keys the dead letters of one day are spread. They are in the first, unless DynamoDB throttles it: a flood of
 * bad messages would overrun one key, and hold back the acknowledgements of what comes behind it.
 */
export const deadLetterShards = 64;

/**
 * The shard of a dead letter that is not in the first: the same for all dead letters of a delivery.
 * @param id its id, or `deadLetterPrefix` of it
 */
export function spreadShard(id: string): number {
  return 1 + shardOf(deadLetterPrefix(id), deadLetterShards - 1);
}

/** Where a dead letter may be; the last of these if it was kept by a version that hashed the whole id. */
export function deadLetterShardsOf(id: string): Set<number> {
  return new Set([0, spreadShard(id), shardOf(id, deadLetterShards)]);
}

/** The shard of a part of a dead letter that is too large for one key: what DynamoDB takes of one in a second is a megabyte. */
export function partShard(id: string, part: number): number {
  return 1 + shardOf(`${id} ${part}`, deadLetterShards - 1);
}
