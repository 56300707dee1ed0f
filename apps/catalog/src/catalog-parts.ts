import type { CursorCodec } from '@engawa/http';
import type { Shards, Table } from '@engawa/table';
import type { Deletions } from './entities/delete/deletions.ts';
import type { EntityStore } from './entities/write/entity-store.ts';
import type { FullText } from './full-text/full-text.ts';
import type { Transactions } from './transactions/transactions.ts';
import type { KnownTypes } from './types/known/known-types.ts';
import type { TypeStore } from './types/type-store.ts';

/** The dependencies of all routes. */
export interface CatalogParts {
  table: Table;
  shards: Shards;
  types: KnownTypes;
  typeStore: TypeStore;
  entities: EntityStore;
  deletions: Deletions;
  transactions: Transactions;
  fullText: FullText;
  cursors: CursorCodec;
  /** The wall clock by which entities expire (epoch milliseconds). */
  now: () => number;
}
