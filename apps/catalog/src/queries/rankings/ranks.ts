import { decodeTuple } from '@engawa/keys';

/** A position in a ranking: the number of rows up to it, and the rank and value of the last one. */
export interface RankPosition {
  count: number;
  rank: number;
  /** The encoded value of the last row, the first segment of its sort key; equal values have equal segments. */
  segment: string | undefined;
}

export const rankingStart: RankPosition = { count: 0, rank: 0, segment: undefined };

/** The encoded value in a sort key; equal values have equal segments. */
export function rankSegment(sortKey: string): string {
  return decodeTuple(sortKey)[0] ?? '';
}

/**
 * The position of the next row: an equal value has the same rank, the next value skips the shared
 * ones (1, 2, 2, 4).
 */
export function nextPosition(before: RankPosition, sortKey: string): RankPosition {
  const segment = rankSegment(sortKey);
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
