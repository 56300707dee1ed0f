import type { EntityName } from '@engawa/keys';
import type { EntityType } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { CatalogShards } from '../shards.ts';
import type { KnownTypes } from '../types/known-types.ts';
import type { Content } from './content.ts';

export interface EntityStoreOptions {
  table: Table;
  shards: () => CatalogShards;
  types: KnownTypes;
  log: Logger;
}

export class EntityStore {
  constructor(_options: EntityStoreOptions) {
    // Being written.
  }

  /** Makes it unless it is there, in one request. @returns whether it made it */
  async createMissing(_name: EntityName, _content: Content): Promise<boolean> {
    throw new Error('being written');
  }

  /** Brings its rows to what the type says now; nothing where they are so already, or it is not there. */
  async rebuild(_name: EntityName, _type: EntityType): Promise<void> {}
}
