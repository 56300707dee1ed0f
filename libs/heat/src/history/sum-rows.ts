import { invariant } from '@engawa/errors';
import { compareTexts } from '../reports/hotness-order.ts';
import { columnMs } from './history-report.ts';
import { nameOfKind } from './key-kind.ts';
import { maxOf, sumSeries } from './series.ts';
import type { HistoryRow, HistoryWindow } from './history-report.ts';

/** A row, and the column of the sum in which its first column is. */
export interface ShiftedRow {
  row: HistoryRow;
  shift: number;
}

/** Adds up rows of one name. @param like the name of the sum */
export function sumRows(
  like: Omit<HistoryRow, 'reads' | 'writes' | 'throttles'>,
  parts: readonly ShiftedRow[],
  columns: number,
): HistoryRow {
  const sumOf = (measure: 'reads' | 'writes' | 'throttles') =>
    sumSeries(
      parts.map(({ row, shift }) => ({ series: row[measure], shift })),
      columns,
    );
  const { index, partition, kind, family, merged } = like;
  return {
    ...{ index, partition },
    ...(kind !== undefined && { kind }),
    ...(family !== undefined && { family }),
    merged,
    reads: sumOf('reads'),
    writes: sumOf('writes'),
    throttles: sumOf('throttles'),
  };
}

/** Limits of the units of a partition in a second. */
type Limits = Record<'read' | 'write', number>;

/**
 * The busiest rows, at most `limit`, in the order of their busiest column; throttled ones first. Further keys are added
 * to the row of their kind. A limit below the number of kinds leaves out the least busy rows.
 */
export function busiestRows(
  rows: readonly HistoryRow[],
  { limits, window, limit }: { limits: Limits; window: HistoryWindow; limit: number },
): HistoryRow[] {
  const sorted = sortRows(rows, limits, window);
  if (sorted.length <= limit) return sorted;
  const kinds = new Set(sorted.map(kindName)).size;
  const keys = sorted.filter(({ merged }) => !merged);
  const kept = keys.slice(0, Math.max(0, limit - kinds));
  const folded = [...keys.slice(kept.length), ...sorted.filter(({ merged }) => merged)];
  const sums = [...Map.groupBy(folded, kindName).values()].map((same) => foldRows(same, window));
  return sortRows([...kept, ...sums], limits, window).slice(0, limit);
}

function foldRows(same: readonly HistoryRow[], { columns }: HistoryWindow): HistoryRow {
  const { index, kind } = invariant(same[0], 'a group has at least one row');
  const family = kind === 'device' ? { family: 'DEVICE' } : {};
  const like = {
    ...{ index, partition: nameOfKind(index, kind ?? ''), merged: true },
    ...(kind !== undefined && { kind }),
    ...family,
  };
  return sumRows(
    like,
    same.map((row) => ({ row, shift: 0 })),
    columns,
  );
}

function kindName({ index, kind }: HistoryRow): string {
  return `${index} ${kind ?? ''}`;
}

function sortRows(rows: readonly HistoryRow[], limits: Limits, window: HistoryWindow) {
  const seconds = columnMs[window.resolution] / 1000;
  const ranked = rows.map((row) => ({
    row,
    isThrottled: row.throttles.length > 0,
    share: Math.max(maxOf(row.reads) / limits.read, maxOf(row.writes) / limits.write) / seconds,
  }));
  ranked.sort(
    (left, right) =>
      Number(right.isThrottled) - Number(left.isThrottled) ||
      right.share - left.share ||
      compareTexts(left.row.index, right.row.index) ||
      compareTexts(left.row.partition, right.row.partition),
  );
  return ranked.map(({ row }) => row);
}
