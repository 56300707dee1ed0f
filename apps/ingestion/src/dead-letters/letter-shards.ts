import { shardOf } from '@engawa/keys';
import type { DeadLetter } from '@engawa/model';

/**
 * Over how many keys the letters of one day are spread. Those of throttled messages come as fast as the key is overrun that
 * they could not be written to: one other key would be overrun as well. All others are in the first.
 */
export const letterShards = 64;

export function letterShard({ id, reason }: Pick<DeadLetter, 'id' | 'reason'>): number {
  return (reason as string) === 'throttled' ? shardOf(id, letterShards) : 0;
}

/** Where a letter may be, whatever its reason was when it was kept. */
export function letterShardsOf(id: string): Set<number> {
  return new Set([0, shardOf(id, letterShards)]);
}
