import { parseKey } from '@engawa/keys';
import type { Key, ParsedKey } from '@engawa/keys';
import type { TableModel } from '../table/index.ts';

/** Items of the table that are about what these ids name, in words. */
export function itemsOf(
  table: TableModel,
  isOwn: (id: string) => boolean,
): { key: string; parsed: ParsedKey }[] {
  const found: { key: string; parsed: ParsedKey }[] = [];
  for (const item of table.items()) {
    const { pk, sk } = item as unknown as Record<string, { S: string }>;
    if (pk === undefined || sk === undefined) continue;
    const key: Key = { pk: pk.S, sk: sk.S };
    const parsed = parseKey(key);
    const ids = Object.values(parsed).flat();
    if (ids.some((id) => typeof id === 'string' && isOwn(id))) {
      found.push({ key: `${key.pk} ${key.sk}`, parsed });
    }
  }
  return found;
}
