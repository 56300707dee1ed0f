/** `load` is the larger share of both limits of a partition: 1 at the limit. */
export const measures = ['load', 'reads', 'writes', 'throttles'] as const;
export type Measure = (typeof measures)[number];

/**
 * A partition key, or all keys of a kind without a row of their own. Each value of a measure is at its column modulo
 * the window.
 */
export interface HeatRow extends Record<Measure, Float32Array> {
  id: string;
  index: string;
  partition: string;
  kind: string | undefined;
  merged: boolean;
  /** Cells with throttles, in ascending order. */
  throttled: number[];
  /** Sums of the window, and the highest load of a column. */
  total: Record<Measure, number>;
  peak: number;
}

/** A row without use. @param cells number of columns of the window */
export function emptyRow(
  named: Pick<HeatRow, 'id' | 'index' | 'partition' | 'kind' | 'merged'>,
  cells: number,
): HeatRow {
  const values = () => new Float32Array(cells);
  return {
    ...named,
    ...{ load: values(), reads: values(), writes: values(), throttles: values(), throttled: [] },
    total: { load: 0, reads: 0, writes: 0, throttles: 0 },
    peak: 0,
  };
}
