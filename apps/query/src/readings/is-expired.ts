import type { BlockItem } from '@engawa/model';

/** Whether a block is past its time to live: DynamoDB deletes such items up to some days later. `now` in milliseconds. */
export function isExpired({ ttl }: BlockItem, now: number): boolean {
  return ttl !== undefined && ttl * 1000 < now;
}
