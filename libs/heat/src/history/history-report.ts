import type { KeyNaming } from '../keys/key-naming.ts';

export const resolutions = ['second', 'minute'] as const;
export type Resolution = (typeof resolutions)[number];

/** Milliseconds of a column. */
export const columnMs: Readonly<Record<Resolution, number>> = { second: 1000, minute: 60_000 };

/** Columns of a history: ten minutes of seconds, a day of minutes. */
export const maxColumns: Readonly<Record<Resolution, number>> = { second: 600, minute: 1440 };

/** The columns of a report: whole seconds or minutes of the epoch, so that columns of several processes add up. */
export interface HistoryWindow {
  resolution: Resolution;
  /** Start of the first column, in milliseconds since the epoch. */
  startMs: number;
  columns: number;
}

/** Consecutive columns with values, from the column `first` on. */
export interface SeriesRun {
  first: number;
  values: number[];
}

/** The values of a row: columns outside the runs have the value 0. */
export type Series = SeriesRun[];

/** One key, or the merged keys of a kind in an index. */
export interface HistoryRow {
  index: string;
  /** The key in the configured naming; the first segment of merged keys. */
  partition: string;
  /** A `PartitionKind`. */
  kind?: string;
  /** The family of a key with shards. */
  family?: string;
  merged: boolean;
  /** Consumed units in each column. */
  reads: Series;
  writes: Series;
  /** Throttled items and Queries in each column. */
  throttles: Series;
}

/** A change of the number of shards. */
export interface Reshard {
  /** ISO time. */
  time: string;
  /** The family, or the partition key of a device, in the configured naming. */
  family: string;
  from: number;
  to: number;
}

/** The history of one process, or the sum of several. */
export interface HeatHistoryReport {
  resolution: Resolution;
  /** ISO time of the start of the first column. */
  start: string;
  columns: number;
  /** Units per second of one partition. */
  limits: { read: number; write: number };
  keys: KeyNaming;
  /** In the order of `busiestRows`, unless it is not sorted yet. */
  rows: HistoryRow[];
  /** The oldest first. */
  reshards: Reshard[];
}
