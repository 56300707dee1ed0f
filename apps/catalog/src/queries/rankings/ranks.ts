import { decodeTuple } from '@engawa/keys';

/** How far a ranking has been read: so many are before, the last of them has this rank and this place in the order. */
export interface RankPosition {
  count: number;
  rank: number;
  /** What a ranking sorts by, as it stands in the sort key: those that tie share it. */
  segment: string | undefined;
}

export const rankingStart: RankPosition = { count: 0, rank: 0, segment: undefined };

/** What those that tie share. */
export function rankSegment(sortKey: string): string {
  return decodeTuple(sortKey)[0] ?? '';
}

/** The next one's position: who ties has the rank of the one before, others come behind all of them (1, 2, 2, 4). */
export function nextPosition(before: RankPosition, sortKey: string): RankPosition {
  const segment = rankSegment(sortKey);
  const count = before.count + 1;
  return { count, rank: segment === before.segment ? before.rank : count, segment };
}

/** The rows with their ranks, from a position on. */
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
