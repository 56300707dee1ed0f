import { attributeIndexId, attributeRowKey, entityKey } from '@engawa/keys';
import { parseAttributeRow, parseEntity } from '@engawa/model';
import { attributeIndex } from './search-store.ts';
import type { AttributeValue, Entity, EntityType, RankingDefinition } from '@engawa/model';
import type { Row } from '@engawa/table';
import type { IndexRow, ShardedIndex } from './ask-shards.ts';
import type { SearchStoreOptions } from './search-store.ts';

/** An entity in a ranking. */
export interface RankingRow extends Row {
  type: string;
  id: string;
  value: AttributeValue;
  /** Where the ranking has it. */
  entity?: Entity;
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
  { name: search, attribute }: RankingDefinition,
): RankingIndex {
  const index = attributeIndex(options, { type: type.name, search });
  const isOwn = type.ownRanking === search;
  const keyAt = (sortKey: string) => rankingKey(type, search, attributeIndexId(sortKey));
  const valueOf = (values: ReadonlyMap<string, AttributeValue>) => values.get(attribute) ?? '';
  const rowOf = ({ sortKey, item }: IndexRow): RankingRow => {
    if (!isOwn) {
      const { entity, values } = parseAttributeRow(item);
      return { sortKey, ...entity, value: valueOf(values) };
    }
    const entity = parseEntity(item);
    return { sortKey, type: entity.type, id: entity.id, value: valueOf(entity.attributes), entity };
  };
  return { ...index, keyAt, isOwn, rowOf };
}

/** The item that holds the place of an entity in a ranking. */
export function rankingKey({ name: type, ownRanking }: EntityType, search: string, id: string) {
  const entity = { type, id };
  return ownRanking === search ? entityKey(entity) : attributeRowKey({ entity, search });
}
