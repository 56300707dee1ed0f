import type { ParsedKey } from '../table/parse-key.ts';

/** The kind of an item of the table, by its key. */
export type ItemKind = ParsedKey['item'];

/** The table or one of its indexes. */
export const keyIndexes = ['table', 'gsi1', 'gsi2'] as const;
export type KeyIndex = (typeof keyIndexes)[number];

export type WritingService = 'ingestion' | 'registry' | 'query' | 'catalog';

/** Keys of one form, which differ only in ids, times and shards. */
export interface KeyFamily {
  /** Unique among the families of all indexes, and stable: clients translate by it. */
  name: string;
  index: KeyIndex;
  /**
   * The form of the partition key and of the sort key, as the key builders write them: `<…>` is an id, a time or
   * another part that differs, `<…s>…` several of them, and `[…]` is absent in some keys.
   */
  pk: string;
  sk: string;
  /** The kinds of its items. */
  kinds: readonly ItemKind[];
  /** A sentence. */
  meaning: string;
  writtenBy: readonly WritingService[];
}
