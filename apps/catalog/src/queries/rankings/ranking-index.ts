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
import type { RankingPart } from '@engawa/keys';
import type { ShardRow } from '@engawa/table';
import type { IndexRow, ShardedIndex } from '../query-shards.ts';
import type { SearchStoreOptions } from '../searches/search-store.ts';

/** An entity in a ranking. */
export interface RankingRow extends ShardRow {
  type: string;
  id: string;
  value: ScalarValue;
  /** The value that sorts it among equal ones. */
  tie: ScalarValue | undefined;
  /** Present where the ranking's index has the entities themselves. */
  entity?: Entity;
}

/** A ranking, or the ranking of one parent, of one period, or of both. */
export interface RankingOf extends RankingPart {
  ranking: RankingDefinition;
}

/** The index of a ranking; its keys are on the entities themselves, or on rows of its own. */
export interface RankingIndex extends ShardedIndex {
  /** Whether the keys are on the entities, which a Query then returns. */
  isOwn: boolean;
  rowOf: (row: IndexRow) => RankingRow;
}

export function rankingIndex(
  options: SearchStoreOptions,
  type: EntityType,
  { ranking, within, period }: RankingOf,
): RankingIndex {
  const { name: search, attribute, ties } = ranking;
  const index = attributeIndex(options, { type: type.name, search, within, period });
  const isOwn = type.ownRanking === search;
  const keyAt = (sortKey: string) => rankingKey(type, search, attributeIndexId(sortKey));
  const valuesOf = (values: ReadonlyMap<string, AttributeValue>) => ({
    value: rankedValue(values.get(attribute)) ?? '',
    tie: ties && rankedValue(values.get(ties.attribute)),
  });
  const rowOf = ({ sortKey, item }: IndexRow): RankingRow => {
    if (!isOwn) {
      const { entity, values } = parseAttributeRow(item);
      return { sortKey, ...entity, ...valuesOf(values) };
    }
    const entity = parseEntity(item);
    const { type: name, id, attributes } = entity;
    return { sortKey, type: name, id, ...valuesOf(attributes), entity };
  };
  return { ...index, keyAt, isOwn, rowOf };
}

/** The key of the item with the ranking's index key of an entity. */
export function rankingKey({ name: type, ownRanking }: EntityType, search: string, id: string) {
  const entity = { type, id };
  return ownRanking === search ? entityKey(entity) : attributeRowKey({ entity, search });
}
