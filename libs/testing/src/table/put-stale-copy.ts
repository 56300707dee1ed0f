interface TestKey {
  pk: string;
  sk: string;
}

/** The used part of a table. */
interface TestTable {
  put(item: Record<string, string>): Promise<void>;
  delete(key: TestKey): Promise<void>;
  query(request: {
    index: 'gsi1';
    pk: string;
    after: Record<string, string>;
  }): Promise<{ items: readonly unknown[] }>;
}

export interface StaleCopy {
  /** The original item. */
  of: TestKey;
  gsi1pk: string;
  gsi1sk: string;
}

/**
 * An index may show an item under its old and its new key for a short time. A table cannot have an
 * item twice, so the copy under the old key is another item with equal `gsi1sk`, in a partition
 * without other items of that key. A page that starts after the item omits the copy, in any order
 * of items with equal sort keys.
 */
export async function putStaleCopy(
  table: TestTable,
  { of, gsi1pk, gsi1sk }: StaleCopy,
  item: Record<string, unknown> = {},
): Promise<void> {
  for (let number = 0; ; number += 1) {
    const key = { pk: `COPY ${number}`, sk: of.sk };
    await table.put({ ...item, ...key, gsi1pk, gsi1sk });
    const after = { ...of, gsi1pk, gsi1sk };
    const { items } = await table.query({ index: 'gsi1', pk: gsi1pk, after });
    const isBehind = (items as { gsi1sk: string }[]).some((found) => found.gsi1sk === gsi1sk);
    if (!isBehind) return;
    await table.delete(key);
  }
}
