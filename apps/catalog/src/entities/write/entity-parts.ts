import type { EntityName } from '@engawa/keys';
import type { Shards, Table } from '@engawa/table';
import type { ItemCollection } from '../read/item-collection.ts';
import type { ReadEntityOptions } from '../read/read-entity.ts';
import type { Incarnations } from '../relations/incarnations.ts';
import type { Additions } from './additions.ts';
import type { EntityQueue } from './entity-queue.ts';

/** What the EntityStore passes to a write of several entities. */
export interface EntityParts {
  table: Table;
  shards: Shards;
  incarnations: Incarnations;
  additions: Additions;
  queue: EntityQueue;
  read: (name: EntityName, options: ReadEntityOptions) => Promise<ItemCollection>;
}
