import type { Document } from '@engawa/model';

/** DynamoDB deletes an item some days after it has expired. */
export function isExpired({ ttl }: Document): boolean {
  return Number(ttl) * 1000 <= Date.now();
}
