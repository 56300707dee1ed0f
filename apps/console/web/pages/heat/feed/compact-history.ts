import type { query } from '@engawa/client';

export type MergedHistory = query.GetMergedHotPartitionHistoryOutput;
type ReportedRow = MergedHistory['rows'][number];

/** Consumed and throttled units are in the responses; the load is computed from them. */
export const reportedMeasures = ['reads', 'writes', 'throttles'] as const;
export type ReportedMeasure = (typeof reportedMeasures)[number];

/** A history whose values are in arrays that a worker hands over without a copy. */
export interface CompactHistory extends Pick<
  MergedHistory,
  'resolution' | 'columns' | 'limits' | 'keys' | 'reshards' | 'processes'
> {
  /** The first column, counted from the epoch. */
  first: number;
  rows: Pick<ReportedRow, 'index' | 'partition' | 'kind' | 'merged'>[];
  /** The values of all columns of the first row, then of the second one, and so on; undefined where all are zero. */
  values: Record<ReportedMeasure, Float32Array<ArrayBuffer> | undefined>;
}

const columnMs = { second: 1000, minute: 60_000 } as const;

export function compactHistory(history: MergedHistory): CompactHistory {
  const { resolution, start, columns, limits, keys, reshards, processes } = history;
  const values = (measure: ReportedMeasure) => compactValues(history, measure);
  return {
    ...{ resolution, columns, limits, keys, reshards, processes },
    first: Date.parse(start) / columnMs[resolution],
    rows: history.rows.map(({ index, partition, kind, merged }) => ({
      ...{ index, partition, kind, merged },
    })),
    values: { reads: values('reads'), writes: values('writes'), throttles: values('throttles') },
  };
}

function compactValues({ rows, columns }: MergedHistory, measure: ReportedMeasure) {
  if (rows.every((row) => row[measure].length === 0)) return undefined;
  const values = new Float32Array(rows.length * columns);
  rows.forEach((row, at) => {
    for (const run of row[measure]) {
      // A run beyond the columns would end in the next row.
      const fitting = run.values.slice(0, Math.max(0, columns - run.first));
      values.set(fitting, at * columns + run.first);
    }
  });
  return values;
}

/** What a worker hands over. */
export function buffersOf({ values }: CompactHistory): ArrayBuffer[] {
  return Object.values(values).flatMap((array) => (array === undefined ? [] : [array.buffer]));
}
