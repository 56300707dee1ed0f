import { isSameMap } from './compare.ts';
import { compareText } from './compare-text.ts';
import { keyOf } from './item-key.ts';
import { itemBytes } from './item-size.ts';
import { carriedBy } from './schema.ts';
import type { Item } from './attribute.ts';
import type { ItemKey } from './item-key.ts';
import type { TableSchema } from './schema.ts';

/** An item's entry in an index. */
export interface IndexedItem {
  readonly partition: string;
  readonly sort: string;
  /** The item's key in the table. */
  readonly key: ItemKey;
  /** Orders items with the same sort key, pseudorandomly by seed. */
  readonly tie: number;
  readonly item: Item;
  readonly bytes: number;
}

/** An item with its cached size, keys and index entries. */
export interface StoredItem {
  readonly partition: string;
  readonly sort: string;
  readonly item: Item;
  readonly bytes: number;
  /** One entry per index of the table; undefined if the index does not contain the item. */
  readonly indexed: readonly (IndexedItem | undefined)[];
}

/** @param salt determines the order of items with the same sort key in an index, which does not affect charges */
export function storedItem(schema: TableSchema, key: ItemKey, item: Item, salt = 0): StoredItem {
  const bytes = itemBytes(item);
  const indexed = schema.indexes.map((index): IndexedItem | undefined => {
    const carried = carriedBy(index, item);
    if (carried === undefined) return undefined;
    const { partition, sort } = keyOf(index.key, carried);
    return {
      partition,
      sort,
      key,
      tie: tieOf(key, salt),
      item: carried,
      bytes: carried === item ? bytes : itemBytes(carried),
    };
  });
  return { ...key, item, bytes, indexed };
}

/** The position of an item in its partition. */
export type TablePosition = Pick<ItemKey, 'sort'>;

export function compareStored(left: TablePosition, right: TablePosition): number {
  return compareText(left.sort, right.sort);
}

export type IndexPosition = Pick<IndexedItem, 'sort' | 'key' | 'tie'>;

export function compareIndexed(left: IndexPosition, right: IndexPosition): number {
  return (
    compareText(left.sort, right.sort) ||
    left.tie - right.tie ||
    compareText(left.key.partition, right.key.partition) ||
    compareText(left.key.sort, right.key.sort)
  );
}

/** Whether an item's entries in an index are equal before and after a write. */
export function isSameIndexed(
  before: IndexedItem | undefined,
  after: IndexedItem | undefined,
): boolean {
  if (before === undefined || after === undefined) return before === after;
  return before.bytes === after.bytes && isSameMap(before.item, after.item);
}

/** A 32-bit hash of a key (FNV-1a, public domain). */
export function tieOf({ partition, sort }: ItemKey, salt: number): number {
  let hash = 0x811c9dc5 ^ salt;
  for (const text of [partition, sort]) {
    for (let index = 0; index < text.length; index++) {
      hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    }
    hash = Math.imul(hash ^ 0xffff, 0x01000193);
  }
  return hash >>> 0;
}
