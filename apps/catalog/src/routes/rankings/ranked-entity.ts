import { z } from 'zod';
import { entityOutput, showEntity } from '../../entities/read/entity-schemas.ts';
import { presentEntity } from '../../migrations/present-entity.ts';
import type { AttributeValue, EntityType } from '@engawa/model';
import type { Fields } from '../../values/fields.ts';
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
    entity: entityOutput.optional().describe('With `whole`.'),
  })
  .meta({ id: 'RankedEntity' });

type PositionedRow = RankingRow & { position: RankPosition };

export function showRanked(
  { id, value, entity, position }: PositionedRow,
  { whole, type, fields }: { whole: boolean; type: EntityType; fields?: Fields | undefined },
) {
  return {
    rank: position.rank,
    id,
    value: showRankValue(value),
    ...(whole &&
      entity !== undefined && { entity: showEntity(presentEntity(entity, type), fields) }),
  };
}

/** A ranking is of a number or an instant. */
export function showRankValue(value: AttributeValue) {
  return value as number | string;
}
