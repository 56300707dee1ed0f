import { attributeIndexId, attributeRowKey, entityKey } from '@engawa/keys';
import { parseAttributeRow, parseEntity } from '@engawa/model';
import { rankedValue } from '../../values/part-values.ts';
import { attributeIndex } from '../searches/search-store.ts';
import type {
  AttributeValue,
  Entity,
  EntityType,
  RankingDefinition,
  ScalarValue,
} from '@engawa/model';
import type { ShardRow } from '@engawa/table';
import type { IndexRow, ShardedIndex } from '../query-shards.ts';
import type { SearchStoreOptions } from '../searches/search-store.ts';

/** An entity in a ranking. */
export interface RankingRow extends ShardRow {
  type: string;
  id: string;
  value: ScalarValue;
  /** The parent whose ranking it is in, where there is one and it is known. */
  within?: string | undefined;
  /** Where the ranking has it. */
  entity?: Entity;
}

/** A ranking, or that of one parent where it is within a relation. */
export interface RankingOf {
  ranking: RankingDefinition;
  /** The id of the parent. */
  within?: string | undefined;
}

/** A ranking, whether its index keys are on the entities themselves or on rows of its own. */
export interface RankingIndex extends ShardedIndex {
  /** Whether it is the entities themselves that are ordered: then they come with it. */
  isOwn: boolean;
  rowOf: (row: IndexRow) => RankingRow;
}

export function rankingIndex(
  options: SearchStoreOptions,
  type: EntityType,
  { ranking, within }: RankingOf,
): RankingIndex {
  const { name: search, attribute } = ranking;
  const index = attributeIndex(options, { type: type.name, search, within, ofSet: false });
  const isOwn = type.ownRanking === search;
  const keyAt = (sortKey: string) => rankingKey(type, search, attributeIndexId(sortKey));
  const valueOf = (values: ReadonlyMap<string, AttributeValue>) =>
    rankedValue(values.get(attribute)) ?? '';
  const rowOf = ({ sortKey, item }: IndexRow): RankingRow => {
    if (!isOwn) {
      const { entity, values } = parseAttributeRow(item);
      return { sortKey, ...entity, value: valueOf(values), within: parentIn(ranking, values) };
    }
    const entity = parseEntity(item);
    const { type: name, id, attributes, one } = entity;
    const value = valueOf(attributes);
    return { sortKey, type: name, id, value, within: parentIn(ranking, one), entity };
  };
  return { ...index, keyAt, isOwn, rowOf };
}

function parentIn(
  { within }: RankingDefinition,
  values: ReadonlyMap<string, AttributeValue>,
): string | undefined {
  return within === undefined ? undefined : (values.get(within) as string | undefined);
}

/** The item that holds the place of an entity in a ranking. */
export function rankingKey({ name: type, ownRanking }: EntityType, search: string, id: string) {
  const entity = { type, id };
  return ownRanking === search ? entityKey(entity) : attributeRowKey({ entity, search });
}
