import type { ProjectedBlock } from '@engawa/model';

/** Whether a block has expired; DynamoDB deletes expired items up to some days later. `now` in epoch milliseconds. */
export function isExpired({ ttl }: ProjectedBlock, now: number): boolean {
  return ttl !== undefined && ttl * 1000 < now;
}
