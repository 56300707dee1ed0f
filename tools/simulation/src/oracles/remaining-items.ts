import { parseKey } from '@engawa/keys';
import type { Key, ParsedKey } from '@engawa/keys';
import type { Item } from '@engawa/dynamodb-simulator/rules';
import type { TableModel } from '../table/index.ts';

/** Items of the table that refer to these ids, except expiring tombstones. */
export function itemsOf(
  table: TableModel,
  isOwn: (id: string) => boolean,
): { key: string; parsed: ParsedKey }[] {
  const found: { key: string; parsed: ParsedKey }[] = [];
  for (const item of table.items()) {
    const { pk, sk } = item as unknown as Record<string, { S: string }>;
    if (pk === undefined || sk === undefined || isExpiringTombstone(item)) continue;
    const key: Key = { pk: pk.S, sk: sk.S };
    const parsed = parseKey(key);
    const ids = Object.values(parsed).flat();
    if (ids.some((id) => typeof id === 'string' && isOwn(id))) {
      found.push({ key: `${key.pk} ${key.sk}`, parsed });
    }
  }
  return found;
}

/** The tombstone of a completely erased device is kept for the next device with its id (docs/adr/0074). */
export function isExpiringTombstone(item: Item): boolean {
  return item['erasedAt'] !== undefined && item['ttl'] !== undefined;
}
