import { shardOf } from '@engawa/keys';
import { deadLetterPrefix } from '@engawa/model';

/**
 * Number of keys for the dead letters of one day. Only the first is used, unless DynamoDB throttles it: a flood of bad
 * messages would exceed the limit of one key, and delay the acknowledgements of all messages behind it.
 */
export const deadLetterShards = 64;

/**
 * The shard of a dead letter that is not in the first one.
 * @param id its id, or `deadLetterPrefix` of it
 */
export function spreadShard(id: string): number {
  return 1 + shardOf(deadLetterPrefix(id), deadLetterShards - 1);
}

/** The shards that may hold a dead letter; the last one if it was written by a version that hashed the whole id. */
export function deadLetterShardsOf(id: string): Set<number> {
  return new Set([0, spreadShard(id), shardOf(id, deadLetterShards)]);
}

/**
 * The shard of a part of a dead letter that is too large for one key: DynamoDB accepts about a megabyte per second of
 * one key.
 */
export function partShard(id: string, part: number): number {
  return 1 + shardOf(`${id} ${part}`, deadLetterShards - 1);
}
