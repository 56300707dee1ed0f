import { attributeFamily, attributeIndexKey, attributePartition, shardOf } from '@engawa/keys';
import { encodeRank } from '../../values/encode-part.ts';
import { rankedValue } from '../../values/part-values.ts';
import type { Gsi2Key } from '@engawa/keys';
import type { Entity, RankingDefinition } from '@engawa/model';
import type { Shards } from '@engawa/table';

type RankableEntity = Pick<Entity, 'type' | 'id' | 'attributes' | 'one'>;

/**
 * The index key of an entity in a ranking; undefined without a value, or without a parent where the ranking is within
 * one.
 */
export function rankKey(
  ranking: RankingDefinition,
  entity: RankableEntity,
  shards: Shards,
): Gsi2Key | undefined {
  const gsi2pk = rankPartition(ranking, entity, shards);
  const gsi2sk = rankSortKey(ranking, entity);
  return gsi2pk === undefined || gsi2sk === undefined ? undefined : { gsi2pk, gsi2sk };
}

/**
 * The partition key, which the parent determines. An entity's own item may have one key without the other, so that a
 * score can be changed without knowing the parent: DynamoDB indexes an item only if it has both.
 */
export function rankPartition(
  { name: search, within }: RankingDefinition,
  { type, id, one }: Omit<RankableEntity, 'attributes'>,
  shards: Shards,
): string | undefined {
  const parent = within === undefined ? undefined : one.get(within);
  if (within !== undefined && parent === undefined) return undefined;
  const shard = shardOf(id, shards.toWrite(attributeFamily(type, search, parent)));
  return attributePartition(shard, type, search, parent);
}

/** After all encoded numbers, which are hexadecimal. */
const noTieValue = '~';

/** The attributes whose values determine the sort key. */
export function rankingAttributes({
  attribute,
  ties,
}: Pick<RankingDefinition, 'attribute' | 'ties'>): string[] {
  return [attribute, ...(ties === undefined ? [] : [ties.attribute])];
}

/** The sort key, which the values determine. @throws KeyError naming the attribute */
export function rankSortKey(
  ranking: RankingDefinition,
  { type, id, attributes }: Omit<RankableEntity, 'one'>,
): string | undefined {
  const { ties } = ranking;
  const segment = rankSegment(ranking, attributes);
  if (segment === undefined) return undefined;
  const segments = [segment, ...(ties ? [rankSegment(ties, attributes) ?? noTieValue] : [])];
  const row = { entity: { type, id }, search: ranking.name };
  return attributeIndexKey(0, row, segments).gsi2sk;
}

function rankSegment(
  { attribute, direction }: Pick<RankingDefinition, 'attribute' | 'direction'>,
  attributes: RankableEntity['attributes'],
): string | undefined {
  const value = rankedValue(attributes.get(attribute));
  if (value === undefined) return undefined;
  return encodeRank({ direction }, { field: `attributes.${attribute}`, value });
}
