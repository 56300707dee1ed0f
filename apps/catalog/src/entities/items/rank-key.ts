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

/** The sort key, which the value determines. @throws KeyError naming the attribute */
export function rankSortKey(
  ranking: RankingDefinition,
  { type, id, attributes }: Omit<RankableEntity, 'one'>,
): string | undefined {
  const value = rankedValue(attributes.get(ranking.attribute));
  if (value === undefined) return undefined;
  const segment = encodeRank(ranking, { field: `attributes.${ranking.attribute}`, value });
  const row = { entity: { type, id }, search: ranking.name };
  return attributeIndexKey(0, row, [segment]).gsi2sk;
}
