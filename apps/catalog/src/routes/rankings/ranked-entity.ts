import { z } from 'zod';
import { showEntity } from '../../entities/read/entity-schemas.ts';
import { listedEntity } from '../../queries/included/read-included.ts';
import type { AttributeValue, Entity } from '@engawa/model';
import type { Fields } from '../../values/fields.ts';
import type { IncludedOf } from '../../queries/included/read-included.ts';
import type { RankingRow } from '../../queries/rankings/ranking-index.ts';
import type { RankPosition } from '../../queries/rankings/ranks.ts';

const rankOutput = z.int().describe('1 is the first; equal values share a rank.');

export const rankValueOutput = z
  .union([z.number(), z.string()])
  .describe('The value that it is ranked by: a number, or an instant as ISO-8601 in UTC.');

export const rankedEntity = z
  .strictObject({
    rank: rankOutput,
    id: z.string(),
    value: rankValueOutput,
    tie: rankValueOutput
      .optional()
      .describe('The value that sorts it among entities with an equal one, if it has any.'),
    entity: listedEntity.optional().describe('With `whole`.'),
  })
  .meta({ id: 'RankedEntity' });

interface ShownRow extends Pick<RankingRow, 'id' | 'value' | 'tie'> {
  position: RankPosition;
  /** In its current form, where it was requested. */
  entity?: Entity | undefined;
}

interface ShowRankedOptions {
  fields?: Fields | undefined;
  includedOf?: IncludedOf;
}

export function showRanked(
  { id, value, tie, entity, position }: ShownRow,
  { fields, includedOf }: ShowRankedOptions = {},
) {
  return {
    rank: position.rank,
    id,
    value: showRankValue(value),
    ...(tie !== undefined && { tie: showRankValue(tie) }),
    ...(entity !== undefined && {
      entity: { ...showEntity(entity, fields), ...includedOf?.(entity) },
    }),
  };
}

/** A ranking is of a number or an instant. */
export function showRankValue(value: AttributeValue) {
  return value as number | string;
}
