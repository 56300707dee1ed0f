import { decodeTuple, entityKey, entityListPartition } from '@engawa/keys';
import { parseEntity } from '@engawa/model';
import { targetKey } from '../entities/wanted-items.ts';
import { askShards } from './ask-shards.ts';
import { wholeEntities } from './whole-entities.ts';
import type { Entity } from '@engawa/model';
import type { MergedPage, Row, Table } from '@engawa/table';
import type { CatalogShards } from '../shards.ts';
import type { Means } from './whole-entities.ts';

export interface EntityListOptions {
  table: Table;
  shards: () => CatalogShards;
}

export interface EntityListQuestion extends Means {
  type: string;
  descending: boolean;
  limit: number;
  /** From the page before, of the same question. */
  after: string | undefined;
}

export interface EntityRow extends Row {
  entity: Entity;
}

export class EntityListStore {
  readonly #options: EntityListOptions;

  constructor(options: EntityListOptions) {
    this.#options = options;
  }

  /** In the order of their ids; one Query for each shard and page. */
  async list({ type, ...question }: EntityListQuestion): Promise<MergedPage<EntityRow>> {
    const { table, shards } = this.#options;
    const partitions = Array.from({ length: shards().list }, (_, shard) =>
      entityListPartition(shard, type),
    );
    const keyAt = (sortKey: string) => entityKey({ type, id: decodeTuple(sortKey)[0] ?? '' });
    const page = await askShards({ table, index: 'gsi1', partitions, keyAt }, question);
    return {
      ...page,
      rows: page.rows.map(({ sortKey, item }) => ({ sortKey, entity: parseEntity(item) })),
    };
  }

  /** Those of different ids, in their order; one request for each 100. */
  async some({ type, ids, ...means }: Means & { type: string; ids: readonly string[] }): Promise<{
    entities: Entity[];
    missing: string[];
  }> {
    const names = ids.map((id) => ({ type, id }));
    const found = await wholeEntities(this.#options.table, names, means);
    return {
      entities: names.flatMap((name) => found.get(targetKey(name)) ?? []),
      missing: ids.filter((id) => !found.has(targetKey({ type, id }))),
    };
  }
}
