import { attributeFamily, attributeIndexKey, attributePartition, shardOf } from '@engawa/keys';
import { encodeRank } from '../../values/encode-part.ts';
import { rankedValue } from '../../values/part-values.ts';
import type { Gsi2Key } from '@engawa/keys';
import type { Entity, RankingDefinition } from '@engawa/model';
import type { Shards } from '@engawa/table';

type Ranked = Pick<Entity, 'type' | 'id' | 'attributes' | 'one'>;

/** Where an entity stands in a ranking; nowhere without a value, or without a parent where it is ranked within one. */
export function rankKey(
  ranking: RankingDefinition,
  entity: Ranked,
  shards: Shards,
): Gsi2Key | undefined {
  const gsi2pk = rankPartition(ranking, entity, shards);
  const gsi2sk = rankSortKey(ranking, entity);
  return gsi2pk === undefined || gsi2sk === undefined ? undefined : { gsi2pk, gsi2sk };
}

/**
 * The half of that key which the parent determines. On an entity's own item each half is there by itself, so that a score is
 * changed by who does not know the parent: DynamoDB has an item in an index only where both are.
 */
export function rankPartition(
  { name: search, within }: RankingDefinition,
  { type, id, one }: Omit<Ranked, 'attributes'>,
  shards: Shards,
): string | undefined {
  const parent = within === undefined ? undefined : one.get(within);
  if (within !== undefined && parent === undefined) return undefined;
  const shard = shardOf(id, shards.toWrite(attributeFamily(type, search, parent)));
  return attributePartition(shard, type, search, parent);
}

/** The half that the value determines. @throws KeyError naming the attribute */
export function rankSortKey(
  ranking: RankingDefinition,
  { type, id, attributes }: Omit<Ranked, 'one'>,
): string | undefined {
  const value = rankedValue(attributes.get(ranking.attribute));
  if (value === undefined) return undefined;
  const segment = encodeRank(ranking, { field: `attributes.${ranking.attribute}`, value });
  const row = { entity: { type, id }, search: ranking.name };
  return attributeIndexKey(0, row, [segment]).gsi2sk;
}
