import type { ServiceContext } from '@engawa/service';
import type { Table } from '@engawa/table';
import type { Config } from '../config.ts';
import type { CatalogShards } from '../shards.ts';

export class FullText {}

export interface StartFullTextOptions {
  context: ServiceContext<Config>;
  table: Table;
  shards: () => CatalogShards;
}

/** Registers what has to be closed with the context. */
export function startFullText(_options: StartFullTextOptions): FullText {
  return new FullText();
}
