import { invariant } from '@engawa/errors';
import { CellSums, entryLength } from './cell-sums.ts';
import { ColumnRing } from './column-ring.ts';
import { columnMs, maxColumns } from './history-report.ts';
import { HistoryRows } from './history-rows.ts';
import { SeriesBuilder } from './series.ts';
import { measures } from './unit-use.ts';
import type { HistoryWindow, Resolution, Series } from './history-report.ts';
import type { RowName } from './history-rows.ts';
import type { Measure, UseVisitor } from './unit-use.ts';

export interface HeatHistoryOptions {
  /** Units per second of one partition. */
  limits: Record<'read' | 'write', number>;
}

/** Where the use since the last call comes from: `Heat`. */
export interface UseSource {
  takeUse(visitor: UseVisitor): void;
}

/** A row of a history with the unchanged partition key. */
export type RecordedRow = RowName & Record<Measure, Series>;

/**
 * Upper bound of `HeatHistory.bytes`: 2,040 columns of at most 232 entries of 16 bytes, 1,468 keys of at most 780
 * UTF-16 units, and fixed arrays.
 */
export const maxHistoryBytes = 11_100_000;

/** A wall clock that is set back further than this begins a new history; by less, the newest column is continued. */
const maxBackSeconds = 60;

const secondsPerMinute = 60;

/** The place of each measure in `measures`. */
const placeOf: Readonly<Record<Measure, number>> = { reads: 0, writes: 1, throttles: 2 };

/**
 * What one process used of each partition key, by seconds and by minutes, in bounded memory. Time is injected: `wallMs`
 * is in milliseconds since the epoch.
 */
export class HeatHistory {
  readonly #limits: HeatHistoryOptions['limits'];
  readonly #rows = new HistoryRows();
  readonly #seconds = new ColumnRing(maxColumns.second);
  readonly #minutes = new ColumnRing(maxColumns.minute);
  /** The second that is recorded, and the running minute. */
  readonly #second = new CellSums(this.#rows);
  readonly #minute = new CellSums(this.#rows);
  /** For sums of columns. */
  readonly #scratch = new CellSums(this.#rows);
  #newest: number | undefined;

  constructor({ limits }: HeatHistoryOptions) {
    this.#limits = limits;
  }

  /** Records the use since the last call in the second that has ended. Call it at the start of each second. */
  record(wallMs: number, source: UseSource): void {
    this.#advance(Math.floor(wallMs / columnMs.second) - 1);
    source.takeUse({
      ofKey: (index, measure, partition, amount) => {
        const share = this.#shareOf(measure, amount);
        const own = this.#rowFor(index, partition, share);
        const row = own ?? this.#rows.kindRowOfKey(index, partition);
        this.#add(row, measure, { amount, share });
      },
      ofKind: (index, measure, kind, amount) =>
        this.#add(this.#rows.kindRow(index, kind), measure, { amount, share: 0 }),
    });
    const known = this.#seconds.at(this.#newestSecond);
    if (known !== undefined) this.#second.addColumn(known);
    this.#seconds.put(this.#newestSecond, this.#second.toColumn());
    this.#second.clear();
  }

  /** The columns of a report: all of a resolution, or those from `fromMs` on. */
  window(resolution: Resolution, wallMs: number, fromMs = -Infinity): HistoryWindow {
    const stepMs = columnMs[resolution];
    const newest = this.#newest ?? Math.floor(wallMs / columnMs.second) - 1;
    const last = resolution === 'second' ? newest : Math.floor(newest / secondsPerMinute);
    const first = Math.max(last - maxColumns[resolution] + 1, Math.floor(fromMs / stepMs));
    return { resolution, startMs: first * stepMs, columns: Math.max(0, last - first + 1) };
  }

  /** The rows with use in this window. */
  read({ resolution, startMs, columns }: HistoryWindow): RecordedRow[] {
    const first = startMs / columnMs[resolution];
    const builders = new Map<number, Record<Measure, SeriesBuilder>>();
    for (let column = 0; column < columns; column++) {
      const entries = this.#columnAt(resolution, first + column) ?? [];
      for (let at = 0; at < entries.length; at += entryLength) {
        const row = invariant(entries[at], inside);
        const series = builders.get(row) ?? newBuilders();
        builders.set(row, series);
        measures.forEach((measure, place) =>
          series[measure].add(column, invariant(entries[at + 1 + place], inside)),
        );
      }
    }
    return [...builders].map(([row, { reads, writes, throttles }]) => ({
      ...this.#rows.nameOf(row),
      ...{ reads: reads.series, writes: writes.series, throttles: throttles.series },
    }));
  }

  /** Approximate memory in bytes; at most `maxHistoryBytes`. */
  get bytes(): number {
    const parts = [this.#rows, this.#seconds, this.#minutes];
    const sums = [this.#second, this.#minute, this.#scratch];
    return [...parts, ...sums].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get #newestSecond(): number {
    return this.#newest ?? 0;
  }

  get #newestMinute(): number {
    return Math.floor(this.#newestSecond / secondsPerMinute);
  }

  /** The running minute is computed; where it has too many keys, the least busy are folded, as at its end. */
  #columnAt(resolution: Resolution, number: number): Float32Array | undefined {
    if (resolution === 'second') return this.#seconds.at(number);
    return number === this.#newestMinute ? this.#minute.toColumn() : this.#minutes.at(number);
  }

  #advance(second: number): void {
    if (this.#newest !== undefined && second < this.#newest - maxBackSeconds) this.#restart();
    const minute = this.#newestMinute;
    const isFirst = this.#newest === undefined;
    this.#newest = Math.max(this.#newest ?? second, second);
    if (isFirst || this.#newestMinute === minute) return;
    this.#minutes.put(minute, this.#minute.toColumn());
    this.#minute.clear();
    this.#rows.endMinutes(this.#newestMinute - minute);
  }

  #restart(): void {
    this.#newest = undefined;
    this.#seconds.clear();
    this.#minutes.clear();
    this.#minute.clear();
    this.#rows.releaseAll();
  }

  #add(row: number, measure: Measure, { amount, share }: Record<'amount' | 'share', number>): void {
    this.#rows.touch(row, share, this.#newestMinute);
    const place = placeOf[measure];
    this.#second.add(row, place, amount);
    this.#minute.add(row, place, amount);
  }

  /** A share of the limit of a partition. A throttled key counts as a key at its limit. */
  #shareOf(measure: Measure, amount: number): number {
    if (measure === 'throttles') return 1;
    return amount / this.#limits[measure === 'reads' ? 'read' : 'write'];
  }

  /** The row of a key; undefined where all rows are occupied by busier keys. */
  #rowFor(index: string, partition: string, share: number): number | undefined {
    const known = this.#rows.find(index, partition);
    if (known !== undefined) return known;
    if (!this.#rows.accepts(share)) return undefined;
    if (!this.#rows.hasFree() && !this.#makeRoom(share)) return undefined;
    return this.#rows.admit(index, partition);
  }

  /** Frees rows of keys that are out of sight, or folds the least busy ones into the rows of their kinds. */
  #makeRoom(share: number): boolean {
    const { unused, folded } = this.#rows.leastBusy(this.#newestMinute - maxColumns.minute + 1);
    const required = unused.length > 0 ? 0 : this.#rows.requiredOver(folded);
    if (share < required) {
      this.#rows.require(required);
      return false;
    }
    if (folded.length > 0) this.#fold(new Set(folded));
    this.#rows.release([...unused, ...folded]);
    return true;
  }

  #fold(folded: ReadonlySet<number>): void {
    const isFolded = (row: number): boolean => folded.has(row);
    for (const sums of [this.#second, this.#minute]) sums.fold(isFolded);
    const change = (column: Float32Array): Float32Array | undefined => {
      this.#scratch.addColumn(column, (row) => (isFolded(row) ? this.#rows.kindRowOf(row) : row));
      const changed = this.#scratch.toColumn();
      this.#scratch.clear();
      return changed;
    };
    this.#seconds.map(this.#newestSecond, change);
    this.#minutes.map(this.#newestMinute, change);
  }
}

const inside = 'an entry of a column has a row and its measures';

function newBuilders(): Record<Measure, SeriesBuilder> {
  return {
    reads: new SeriesBuilder(),
    writes: new SeriesBuilder(),
    throttles: new SeriesBuilder(),
  };
}
