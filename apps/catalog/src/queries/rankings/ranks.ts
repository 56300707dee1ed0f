import { decodeTuple, encodeTuple } from '@engawa/keys';

/** A position in a ranking: the number of rows up to it, and the rank and value of the last one. */
export interface RankPosition {
  count: number;
  rank: number;
  /** The encoded values of the last row (`rankSegments`). */
  segment: string | undefined;
}

export const rankingStart: RankPosition = { count: 0, rank: 0, segment: undefined };

/** The beginning of a sort key, before the id: entities with equal values have the same. */
export function rankSegments(sortKey: string): string {
  return encodeTuple(decodeTuple(sortKey).slice(0, -1));
}

/**
 * The position of the next row: an equal value has the same rank, the next value skips the shared
 * ones (1, 2, 2, 4).
 */
export function nextPosition(before: RankPosition, sortKey: string): RankPosition {
  const segment = rankSegments(sortKey);
  const count = before.count + 1;
  return { count, rank: segment === before.segment ? before.rank : count, segment };
}

/** Adds ranks to the rows that follow a position. */
export function withRanks<Row extends { sortKey: string }>(
  start: RankPosition,
  rows: readonly Row[],
): (Row & { position: RankPosition })[] {
  let position = start;
  return rows.map((row) => {
    position = nextPosition(position, row.sortKey);
    return { ...row, position };
  });
}
