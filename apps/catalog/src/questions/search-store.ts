import {
  attributeFamily,
  attributeIndexId,
  attributePartition,
  attributeRowKey,
} from '@engawa/keys';
import { parseAttributeRow } from '@engawa/model';
import { askShards } from './ask-shards.ts';
import { collectRows, oneBatch } from './collect-rows.ts';
import { withEntities } from './whole-entities.ts';
import type { AttributeValue, Entity } from '@engawa/model';
import type { MergedPage, Row, Shards, Table } from '@engawa/table';
import type { IndexRow, ShardedIndex } from './ask-shards.ts';
import type { SearchAsked } from './search-asked.ts';
import type { Means } from './whole-entities.ts';

export interface SearchStoreOptions {
  table: Table;
  shards: Shards;
}

export interface SearchQuestion extends Means {
  type: string;
  search: string;
  asked: SearchAsked;
  descending: boolean;
  /** Whether to fetch the entities, too. */
  whole: boolean;
  limit: number;
  /** From the page before, of the same question. */
  after: string | undefined;
}

/** An entity that was found, and what it was found by. */
export interface FoundRow extends Row {
  type: string;
  id: string;
  values: ReadonlyMap<string, AttributeValue>;
  /** With `whole`. */
  entity?: Entity;
}

export class SearchStore {
  readonly #options: SearchStoreOptions;

  constructor(options: SearchStoreOptions) {
    this.#options = options;
  }

  /**
   * The entities in the order of the parts of the search, then of their ids; one Query for each shard and page. `whole`
   * fetches them 100 at a time, with a request more each.
   */
  async find(question: SearchQuestion): Promise<MergedPage<FoundRow>> {
    const { type, search, asked, whole, limit, after, ...asks } = question;
    if (asked.isVain) return { rows: [] };
    const index = attributeIndex(this.#options, { type, search });
    return collectRows({
      limit,
      after,
      budget: asks.budget,
      read: (behind, count) =>
        askShards(index, { ...asks, range: asked.range, limit: count, after: behind }),
      keep: (rows) => {
        const found = rows.map(foundRow).filter(({ values }) => asked.keeps(values));
        return whole ? withEntities(this.#options.table, found, asks) : found;
      },
      ...(asked.isCut && { atLeast: oneBatch }),
      ...(whole && { atMost: oneBatch }),
    });
  }
}

function foundRow({ sortKey, item }: IndexRow): FoundRow {
  const { entity, values } = parseAttributeRow(item);
  return { sortKey, ...entity, values };
}

/** What is found by a search of a type, or ordered by a ranking that has rows of its own. */
export function attributeIndex(
  { table, shards }: SearchStoreOptions,
  { type, search }: { type: string; search: string },
): ShardedIndex {
  return {
    table,
    index: 'gsi2',
    shards,
    family: attributeFamily(type, search),
    partition: (shard) => attributePartition(shard, type, search),
    keyAt: (sortKey) =>
      attributeRowKey({ entity: { type, id: attributeIndexId(sortKey) }, search }),
  };
}
