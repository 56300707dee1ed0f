import { attributeRange, compareBytes, encodeSegment, KeyError } from '@engawa/keys';
import { encodeRank } from '../../values/encode-part.ts';
import { invalidQuery } from '../../values/invalid-request.ts';
import { parsePartValue } from '../../values/parse-part-value.ts';
import type { EntityType, RankingDefinition } from '@engawa/model';
import type { QueryRequest } from '@engawa/table';
import type { PartTimes } from '../../values/parse-part-value.ts';

/** Entities of a ranking whose value is in a range. */
export interface RankingRange {
  sk: QueryRequest['sk'];
  /** The sort keys of the entities that rank before the range; undefined where there are none. */
  before: QueryRequest['sk'];
}

interface RangeParameters {
  from?: string | undefined;
  to?: string | undefined;
}

/** The range of values from `from` to `to`, both inclusive. @throws Problem `invalid-request` */
export function rankingRange(
  type: EntityType,
  ranking: RankingDefinition,
  { from, to }: RangeParameters,
  times: PartTimes,
): RankingRange | undefined {
  if (from === undefined && to === undefined) return undefined;
  try {
    const segment = (field: string, text: string | undefined) =>
      text === undefined ? undefined : segmentOf(type, ranking, { field, text, times });
    const bounds = [segment('query.from', from), segment('query.to', to)];
    const [first, last] = ranking.direction === 'descending' ? bounds.toReversed() : bounds;
    if (first !== undefined && last !== undefined && compareBytes(first, last) > 0) {
      throw new KeyError('query.to', 'must not be before query.from');
    }
    return {
      sk: attributeRange([], { from: first, to: last }),
      before: first === undefined ? undefined : { to: encodeSegment(first) },
    };
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    throw invalidQuery([{ path: error.field, message: error.reason }]);
  }
}

function segmentOf(
  { attributes }: EntityType,
  ranking: RankingDefinition,
  { field, text, times }: { field: string; text: string; times: PartTimes },
): string {
  const { attribute } = ranking;
  const kind = attributes.find(({ name }) => name === attribute)?.kind;
  const part = { attribute, as: kind === 'instant' ? kind : ('number' as const) };
  return encodeRank(ranking, { field, value: parsePartValue(part, field, text, times) });
}
