import { compareBytes } from '@engawa/keys';
import { isSameMap } from './compare.ts';
import { keyOf } from './item-key.ts';
import { itemBytes } from './item-size.ts';
import { carriedBy } from './schema.ts';
import type { Item } from './attribute.ts';
import type { ItemKey } from './item-key.ts';
import type { TableSchema } from './schema.ts';

/** An item as an index carries it. */
export interface IndexedItem {
  readonly partition: string;
  readonly sort: string;
  /** Of the table. */
  readonly key: ItemKey;
  /** Where it is among items with the same sort key: any order, the same for one seed. */
  readonly tie: number;
  readonly item: Item;
  readonly bytes: number;
}

/** An item with what is needed of it again and again. */
export interface StoredItem {
  readonly partition: string;
  readonly sort: string;
  readonly item: Item;
  readonly bytes: number;
  /** One for each index of the table; undefined where the item is not in it. */
  readonly indexed: readonly (IndexedItem | undefined)[];
}

/** @param salt chooses the order of items with the same sort key in an index */
export function storedItem(
  schema: TableSchema,
  key: ItemKey,
  item: Item,
  salt: number,
): StoredItem {
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

/** Where an item is in its partition. */
export type TablePosition = Pick<ItemKey, 'sort'>;

export function compareStored(left: TablePosition, right: TablePosition): number {
  return compareBytes(left.sort, right.sort);
}

export type IndexPosition = Pick<IndexedItem, 'sort' | 'key' | 'tie'>;

export function compareIndexed(left: IndexPosition, right: IndexPosition): number {
  return (
    compareBytes(left.sort, right.sort) ||
    left.tie - right.tie ||
    compareBytes(left.key.partition, right.key.partition) ||
    compareBytes(left.key.sort, right.key.sort)
  );
}

/** Whether an index holds the same of an item before and after. */
export function isSameIndexed(
  before: IndexedItem | undefined,
  after: IndexedItem | undefined,
): boolean {
  if (before === undefined || after === undefined) return before === after;
  return before.bytes === after.bytes && isSameMap(before.item, after.item);
}

/** 32 bits of a key's text (FNV-1a, public domain). */
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
