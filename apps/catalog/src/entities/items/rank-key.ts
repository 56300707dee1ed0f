import {
  attributeFamily,
  attributeIndexKey,
  attributePartition,
  parseInstant,
  periodOf,
  shardOf,
} from '@engawa/keys';
import { encodeRank } from '../../values/encode-part.ts';
import { rankedValue } from '../../values/part-values.ts';
import type { Gsi2Key } from '@engawa/keys';
import type { Entity, RankingDefinition } from '@engawa/model';
import type { Shards } from '@engawa/table';

type RankableEntity = Pick<Entity, 'type' | 'id' | 'attributes' | 'one'>;

/**
 * The index key of an entity in a ranking; undefined without a value, without a parent where the ranking is within one,
 * or without an instant where it is per period.
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

/** Whether a ranking has several parts, so that the partition key depends on the entity, not only on its shard. */
export function isInParts({ within, period }: RankingDefinition): boolean {
  return within !== undefined || period !== undefined;
}

/**
 * The partition key, which the parent and the period determine. An entity's own item may have one key without the
 * other, so that a score can be changed without knowing them: DynamoDB indexes an item only if it has both.
 * @throws KeyError naming the attribute of the period
 */
export function rankPartition(
  ranking: RankingDefinition,
  { type, id, attributes, one }: RankableEntity,
  shards: Shards,
): string | undefined {
  const { name: search, within: relation } = ranking;
  const within = relation === undefined ? undefined : one.get(relation);
  const period = periodIn(ranking, attributes);
  if (relation !== undefined && within === undefined) return undefined;
  if (ranking.period !== undefined && period === undefined) return undefined;
  const shard = shardOf(id, shards.toWrite(attributeFamily(type, search, within)));
  return attributePartition(shard, type, search, { within, period });
}

function periodIn(
  { period }: RankingDefinition,
  attributes: RankableEntity['attributes'],
): string | undefined {
  if (period === undefined) return undefined;
  const { attribute, length } = period;
  const value = rankedValue(attributes.get(attribute));
  if (typeof value !== 'string') return undefined;
  return periodOf(length, parseInstant(`attributes.${attribute}`, value));
}

/** After all encoded numbers, which are hexadecimal. */
const noTieValue = '~';

/** The attributes whose values determine the key. */
export function rankingAttributes({
  attribute,
  ties,
  period,
}: Pick<RankingDefinition, 'attribute' | 'ties' | 'period'>): string[] {
  return [attribute, ...[ties, period].flatMap((other) => other?.attribute ?? [])];
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
