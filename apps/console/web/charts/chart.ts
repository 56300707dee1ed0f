import type { Column } from './join-points.ts';

/** How a series is drawn. `low` and `high` are the edges of the band behind the line before them. */
export type SeriesRole = 'value' | 'previous' | 'low' | 'high';

export interface ChartSeries {
  key: string;
  label: string;
  role: SeriesRole;
  /** Position in the palette: a line, its band and its comparison share one. */
  color: number;
  /** A value for each of the chart's times. */
  column: Column;
}

/** The numbers of a chart, for people who cannot see it or want them exactly. Rows are made when they are shown. */
export interface ChartTable {
  caption: string;
  columns: readonly string[];
  rowCount: number;
  cells: (row: number) => readonly string[];
}

export interface TimeRange {
  /** Epoch milliseconds. */
  from: number;
  /** Exclusive. */
  to: number;
}

/** A chart of one unit. */
export interface Chart {
  key: string;
  kind: 'lines' | 'bars';
  title: string;
  unit: string | undefined;
  /** What a point is: `Average of 5 minutes`. */
  detail: string;
  range: TimeRange;
  timeZone: string;
  /** Epoch milliseconds, ascending: where points are drawn. */
  times: readonly number[];
  /** The buckets that the points stand for, for charts of aggregates. */
  buckets?: readonly TimeRange[];
  series: readonly ChartSeries[];
  tables: readonly ChartTable[];
}
