import type { Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { EntityStore } from '../entities/entity-store.ts';
import type { CatalogShards } from '../shards.ts';
import type { TaskHandler } from '../tasks/task-runner.ts';

export const buildKind = 'BUILD';

export interface BuildTypeOptions {
  table: Table;
  shards: () => CatalogShards;
  entities: EntityStore;
  /** TYPE_SETTLE_MS. */
  settleMs: number;
  log: Logger;
}

export function buildType(_options: BuildTypeOptions): TaskHandler {
  return async () => 'later';
}
