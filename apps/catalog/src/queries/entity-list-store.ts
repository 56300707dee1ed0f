import pMap from 'p-map';
import { decodeTuple, entityKey, entityListFamily, entityListPartition } from '@engawa/keys';
import { parseEntity } from '@engawa/model';
import { projected } from '@engawa/table';
import { fieldPaths } from '../values/fields.ts';
import { linksByRelation, readCollection, relationIds } from '../entities/read/item-collection.ts';
import { targetKey } from '../entities/items/entity-items.ts';
import { queryShards } from './query-shards.ts';
import { countIndex } from './count-rows.ts';
import { fetchEntities } from './fetch-entities.ts';
import type { Entity, RelationRow } from '@engawa/model';
import type { MergedPage, ShardRow, Shards, Table } from '@engawa/table';
import type { LinksByRelation } from '../entities/read/item-collection.ts';
import type { Fields } from '../values/fields.ts';
import type { ShardedIndex } from './query-shards.ts';
import type { RowCount } from './count-rows.ts';
import type { RequestLimits } from './fetch-entities.ts';

export interface EntityListOptions {
  table: Table;
  shards: Shards;
}

export interface EntityListQuery extends RequestLimits {
  type: string;
  descending: boolean;
  limit: number;
  /** Cursor position of the previous page of the same query. */
  after: string | undefined;
  /** Default: all fields. */
  fields?: Fields | undefined;
}

export interface EntitiesByIdQuery extends RequestLimits {
  type: string;
  ids: readonly string[];
  fields?: Fields | undefined;
}

export interface EntityRow extends ShardRow {
  entity: Entity;
}

export interface WholeRow extends EntityRow {
  relations: ReadonlyMap<string, readonly string[]>;
  links: LinksByRelation;
}

/** Of the lists. It has no attributes of staged writes, which lists do not show. */
const index = 'gsi1';

/** Entities of a page that are read with all relations, and how many in parallel. */
const maxWhole = 100;
const maxParallelReads = 10;

export class EntityListStore {
  readonly #options: EntityListOptions;

  constructor(options: EntityListOptions) {
    this.#options = options;
  }

  /** Sorted by id; one Query per shard and page. */
  async list({ type, fields, ...query }: EntityListQuery): Promise<MergedPage<EntityRow>> {
    const shardQuery = {
      ...query,
      ...(fields && { fields: projected(index, fieldPaths(fields)) }),
    };
    const page = await queryShards(this.#listOf(type), shardQuery);
    return {
      ...page,
      rows: page.rows.map(({ sortKey, item }) => ({ sortKey, entity: parseEntity(item) })),
    };
  }

  /** Counts the entities of a type. */
  count(type: string, limits: RequestLimits): Promise<RowCount> {
    return countIndex(this.#listOf(type), {}, limits);
  }

  #listOf(type: string): ShardedIndex {
    return {
      ...this.#options,
      index,
      family: entityListFamily(type),
      partition: (shard) => entityListPartition(shard, type),
      keyAt: (sortKey) => entityKey({ type, id: decodeTuple(sortKey)[0] }),
    };
  }

  /**
   * Entities with all relations, with one more request each; at most 100 per page. Omits entities
   * deleted meanwhile.
   */
  async listWhole(query: EntityListQuery): Promise<MergedPage<WholeRow>> {
    const limit = Math.min(query.limit, maxWhole);
    const page = await this.list({ ...query, limit });
    const whole = await pMap(page.rows, (row) => this.#whole(row, query), {
      concurrency: maxParallelReads,
    });
    const rows = whole.filter((row) => row !== undefined);
    return { ...page, rows };
  }

  async #whole(
    { sortKey, entity }: EntityRow,
    limits: RequestLimits,
  ): Promise<WholeRow | undefined> {
    const { table } = this.#options;
    const { budget, signal } = limits;
    const collection = await readCollection({ table, signal }, entity, 'all');
    budget.charge(collection.units);
    if (collection.entity === undefined || collection.entity.gone === true) return undefined;
    const { entity: whole, relations: rows = new Map<string, RelationRow>() } = collection;
    const links = linksByRelation(rows.values(), whole.settles);
    return { sortKey, entity: whole, relations: relationIds(collection), links };
  }

  /** The entities with these distinct ids, in the same order; one request per 100. */
  async byIds({ type, ids, ...limits }: EntitiesByIdQuery): Promise<{
    entities: Entity[];
    missing: string[];
  }> {
    const names = ids.map((id) => ({ type, id }));
    const found = await fetchEntities(this.#options.table, names, limits);
    return {
      entities: names.flatMap((name) => found.get(targetKey(name)) ?? []),
      missing: ids.filter((id) => !found.has(targetKey({ type, id }))),
    };
  }
}
