import { invariant } from '@engawa/errors';
import { keyNamings } from '../keys/key-naming.ts';
import { compareTexts } from '../reports/hotness-order.ts';
import { defaultPartitionLimits } from '../keys/partition.ts';
import { columnMs } from './history-report.ts';
import { busiestRows, sumRows } from './sum-rows.ts';
import type { HeatHistoryReport, HistoryRow, HistoryWindow, Reshard } from './history-report.ts';
import type { ShiftedRow } from './sum-rows.ts';

/** Maximum number of reshards in a report. */
export const maxReshards = 200;

/** Processes learn of a reshard within this time of each other: ShardMap reads every two seconds. */
const sameReshardMs = 30_000;

/**
 * Adds up the histories of several processes, column by column, in this window. Hidden keys of different processes
 * cannot be told apart from each other: each keeps a row of its own, and only merged keys are added up.
 */
export function mergeHistories(
  reports: readonly HeatHistoryReport[],
  window: HistoryWindow,
  limit: number,
): HeatHistoryReport {
  const limits = { ...defaultPartitionLimits };
  for (const unit of ['read', 'write'] as const) {
    const known = reports.map((report) => report.limits[unit]).filter((each) => each > 0);
    if (known.length > 0) limits[unit] = Math.min(...known);
  }
  const keys = keyNamings.findLast((naming) => reports.some((report) => report.keys === naming));
  const rows = reports.flatMap((report, place) => {
    const shift = shiftOf(report, window);
    return report.rows.map((row) => ({ row, shift, id: idOf(row, report, place) }));
  });
  const sums = [...Map.groupBy(rows, ({ id }) => id).values()]
    .map((same) => sumOfSame(same, window))
    .filter(({ reads, writes, throttles }) => reads.length + writes.length + throttles.length > 0);
  return {
    resolution: window.resolution,
    start: new Date(window.startMs).toISOString(),
    columns: window.columns,
    limits,
    keys: keys ?? 'shown',
    rows: busiestRows(sums, { limits, window, limit }),
    reshards: mergeReshards(reports.flatMap(({ reshards }) => reshards)),
  };
}

function sumOfSame(same: readonly ShiftedRow[], { columns }: HistoryWindow): HistoryRow {
  const like = same.find(({ row }) => row.kind !== undefined) ?? same[0];
  return sumRows(invariant(like, 'a group has at least one row').row, same, columns);
}

function idOf(row: HistoryRow, { keys, rows }: HeatHistoryReport, place: number): string {
  const { index, partition, merged } = row;
  const own = keys === 'hidden' && !merged ? [place, rows.indexOf(row)] : [];
  return JSON.stringify([index, partition, merged, merged ? (row.kind ?? '') : '', ...own]);
}

/** Columns by which a report begins after the window; it may begin before it. */
function shiftOf(report: HeatHistoryReport, window: HistoryWindow): number {
  const stepMs = columnMs[window.resolution];
  return Math.round((Date.parse(report.start) - window.startMs) / stepMs);
}

/** Every process sees a reshard of the shard map: it is listed once, at the time of the first. */
function mergeReshards(all: readonly Reshard[]): Reshard[] {
  const sorted = all.toSorted((left, right) => compareTexts(left.time, right.time));
  const merged: Reshard[] = [];
  for (const one of sorted) {
    const isKnown = merged.some(
      (other) =>
        other.family === one.family &&
        other.to === one.to &&
        Date.parse(one.time) - Date.parse(other.time) <= sameReshardMs,
    );
    if (!isKnown) merged.push(one);
  }
  return merged.slice(-maxReshards);
}
