import { Slices } from '../../charts/slices.ts';
import { foldRows } from './fold-rows.ts';
import { reportedMeasures } from './feed/compact-history.ts';
import { emptyRow, measures } from './heat-row.ts';
import type { CompactHistory } from './feed/compact-history.ts';
import type { HeatRow } from './heat-row.ts';

export type Reshard = CompactHistory['reshards'][number];
export type Resolution = CompactHistory['resolution'];
type ReportedRow = CompactHistory['rows'][number];

export const resolutions = ['second', 'minute'] as const satisfies readonly Resolution[];

/** Seconds of a column. */
export const columnSeconds = { second: 1, minute: 60 } as const;

/** Columns of a window: ten minutes, or a day. */
export const windowColumns = { second: 600, minute: 1440 } as const;

/** Rows between two looks at the clock. */
const rowsOfSlice = 16;

export function rowId({
  index,
  partition,
  merged,
}: Pick<ReportedRow, 'index' | 'partition' | 'merged'>) {
  return `${index} ${merged ? '*' : '='} ${partition}`;
}

/** The use of all partition keys in a window that moves: columns are counted from the epoch. */
export class HeatGrid {
  readonly resolution: Resolution;
  readonly columns: number;
  limits = { read: 3000, write: 1000 };
  /** How partition keys are named. */
  keys: CompactHistory['keys'] = 'shown';
  reshards: readonly Reshard[] = [];
  /** The column after the newest one. */
  end = 0;
  readonly #rows = new Map<string, HeatRow>();

  constructor(resolution: Resolution, columns: number = windowColumns[resolution]) {
    this.resolution = resolution;
    this.columns = columns;
  }

  get first(): number {
    return this.end - this.columns;
  }

  /** The part of the window that is shown: all of it, or the half, quarter or eighth that has all use. */
  get shown(): { first: number; columns: number } {
    const used = this.end - this.#firstUse();
    const part = [8, 4, 2].find((divisor) => used <= this.columns / divisor) ?? 1;
    const columns = this.columns / part;
    return { first: this.end - columns, columns };
  }

  get stepMs(): number {
    return columnSeconds[this.resolution] * 1000;
  }

  get rows(): HeatRow[] {
    return [...this.#rows.values()];
  }

  row(id: string): HeatRow | undefined {
    return this.#rows.get(id);
  }

  timeOf(column: number): Date {
    return new Date(column * this.stepMs);
  }

  /**
   * Replaces all columns from the reports' start on. Each report is of other processes: they are added up.
   * @param slices divide a large report into short tasks; a row between them may lack values
   */
  async apply(reports: readonly CompactHistory[], slices = new Slices()): Promise<void> {
    if (reports.length === 0) return;
    const start = Math.min(...reports.map(({ first }) => first));
    const end = Math.max(this.end, ...reports.map(({ first, columns }) => first + columns));
    this.#clear(Math.min(start, this.end), end);
    this.end = end;
    for (const report of reports) {
      this.limits = report.limits;
      this.keys = report.keys;
      await this.#add(report, slices);
    }
    const windowStart = this.first * this.stepMs;
    // A report has all reshards that its processes know, also those before its first column.
    const all = distinct([...this.reshards, ...reports.flatMap(({ reshards }) => reshards)]);
    this.reshards = all.filter(({ time }) => Date.parse(time) >= windowStart);
    await this.#finish(slices);
  }

  /** Forgets all columns. */
  forget(): void {
    this.#rows.clear();
    this.reshards = [];
    this.end = 0;
  }

  #clear(from: number, to: number): void {
    const count = Math.min(to - from, this.columns);
    const begin = this.#cell(to - count);
    const untilWrap = Math.min(count, this.columns - begin);
    for (const row of this.#rows.values()) {
      for (const measure of measures) {
        row[measure].fill(0, begin, begin + untilWrap).fill(0, 0, count - untilWrap);
      }
    }
  }

  async #add({ rows, values, first, columns }: CompactHistory, slices: Slices): Promise<void> {
    // Only columns of the window have a cell.
    const skipped = Math.max(0, this.first - first);
    const begin = this.#cell(first + skipped);
    for (const [at, given] of rows.entries()) {
      const { index, partition, kind, merged } = given;
      const id = rowId(given);
      const row =
        this.#rows.get(id) ?? emptyRow({ id, index, partition, kind, merged }, this.columns);
      this.#rows.set(id, row);
      for (const measure of reportedMeasures) {
        const ofRow = values[measure]?.subarray(at * columns + skipped, (at + 1) * columns);
        if (ofRow !== undefined) addValues(row[measure], ofRow, begin);
      }
      if (at % rowsOfSlice === 0) await slices.rest();
    }
  }

  /** Computes the loads and sums, forgets rows without use, and merges the least busy ones. */
  async #finish(slices: Slices): Promise<void> {
    const seconds = columnSeconds[this.resolution];
    const [read, write] = [this.limits.read * seconds, this.limits.write * seconds];
    for (const [at, row] of this.rows.entries()) {
      sumRow(row, read, write);
      const { reads, writes, throttles } = row.total;
      if (reads + writes + throttles === 0) this.#rows.delete(row.id);
      if (at % rowsOfSlice === 0) await slices.rest();
    }
    for (const id of foldRows(this.#rows)) {
      const row = this.#rows.get(id);
      if (row !== undefined) sumRow(row, read, write);
    }
  }

  #firstUse(): number {
    const rows = this.rows;
    let column = this.first;
    const isUsed = ({ load, throttles }: HeatRow): boolean => {
      const cell = this.#cell(column);
      return (load[cell] ?? 0) > 0 || (throttles[cell] ?? 0) > 0;
    };
    while (column < this.end && !rows.some(isUsed)) column += 1;
    return column;
  }

  #cell(column: number): number {
    return ((column % this.columns) + this.columns) % this.columns;
  }
}

/** @param begin the cell of the first value; the cells after the last one are those at the beginning */
function addValues(cells: Float32Array, values: Float32Array, begin: number): void {
  let cell = begin;
  for (const value of values) {
    if (value !== 0) cells[cell] = (cells[cell] ?? 0) + value;
    cell = cell + 1 === cells.length ? 0 : cell + 1;
  }
}

function sumRow(row: HeatRow, readLimit: number, writeLimit: number): void {
  const { load, reads, writes, throttles, total } = row;
  let [sumOfReads, sumOfWrites, sumOfThrottles, peak] = [0, 0, 0, 0];
  const throttled: number[] = [];
  for (let cell = 0; cell < load.length; cell += 1) {
    const read = reads[cell] ?? 0;
    const write = writes[cell] ?? 0;
    const throttle = throttles[cell] ?? 0;
    const share = Math.max(read / readLimit, write / writeLimit);
    load[cell] = share;
    if (share > peak) peak = share;
    sumOfReads += read;
    sumOfWrites += write;
    sumOfThrottles += throttle;
    if (throttle > 0) throttled.push(cell);
  }
  row.peak = peak;
  row.throttled = throttled;
  Object.assign(total, { reads: sumOfReads, writes: sumOfWrites, throttles: sumOfThrottles });
}

/** Each process reports the reshards that it learned of; the first report of a change counts. */
function distinct(reshards: readonly Reshard[]): Reshard[] {
  const found = new Map<string, Reshard>();
  for (const reshard of [...reshards].sort((a, b) => Date.parse(a.time) - Date.parse(b.time))) {
    const id = `${reshard.family} ${reshard.from} ${reshard.to}`;
    if (!found.has(id)) found.set(id, reshard);
  }
  return [...found.values()];
}
