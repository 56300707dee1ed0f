import { Decimal } from './decimal.ts';
import { compareNumbers, ExactSum } from './exact-sum.ts';
import { FieldSummary } from './field-summary.ts';
import { Sketch } from './sketch.ts';
import type { ExactNumber } from './decimal.ts';
import type { Fall, Moment } from './field-summary.ts';
import type { FieldValue, Reading } from './reading.ts';
import type { EncodedSketch } from './sketch.ts';

/** Whether a counter is marked as reset after a time and at or before another one (epoch milliseconds). */
export type ResetMarks = (field: string, after: number, until: number) => boolean;

const noResets: ResetMarks = () => false;

/** What is known of a stretch of time: a summary for each field that had a number in it. */
export class Summary {
  readonly fields: Map<string, FieldSummary>;
  /**
   * Epoch milliseconds: readings of before may have expired uncounted; -Infinity where none has.
   * Not kept in rollups.
   */
  expiredUntil = -Infinity;
  readonly #hasSketches: boolean;

  /** @param hasSketches whether readings that are added are counted for percentiles */
  constructor(fields = new Map<string, FieldSummary>(), hasSketches = false) {
    this.fields = fields;
    this.#hasSketches = hasSketches;
  }

  /** Takes in a reading that is newer than those before it. */
  add({ time, fields }: Reading, isReset = noResets): void {
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      if (isNumber(value)) this.#addValue(name, { time, value }, isReset);
    }
  }

  /**
   * Takes in the readings of one moment, newer than those before: of each field the values upwards,
   * so that a counter which reports twice within a millisecond has not fallen.
   */
  addMoment(readings: readonly Reading[], isReset = noResets): void {
    const [first] = readings;
    if (first === undefined) return;
    const values = new Map<string, ExactNumber[]>();
    for (const { fields } of readings) {
      for (const name of Object.keys(fields)) {
        const value = fields[name];
        if (!isNumber(value)) continue;
        const ofField = values.get(name);
        if (ofField === undefined) values.set(name, [value]);
        else ofField.push(value);
      }
    }
    for (const [name, ofField] of values) {
      for (const value of ofField.sort(compareNumbers)) {
        this.#addValue(name, { time: first.time, value }, isReset);
      }
    }
  }

  /** Takes in the same device's time behind this one. */
  append(later: Summary, isReset = noResets): void {
    this.#take(later, (known, field, name) =>
      known.append(field, isReset(name, known.last.time, field.first.time)),
    );
  }

  /** Takes in the values of another device. */
  merge(other: Summary): void {
    this.#take(other, (known, field) => known.merge(field));
  }

  #addValue(name: string, moment: Moment, isReset: ResetMarks): void {
    const known = this.fields.get(name);
    if (known === undefined) this.fields.set(name, FieldSummary.of(moment, this.#hasSketches));
    else known.add(moment, isReset(name, known.last.time, moment.time));
  }

  #take(
    other: Summary,
    join: (known: FieldSummary, field: FieldSummary, name: string) => void,
  ): void {
    this.expiredUntil = Math.max(this.expiredUntil, other.expiredUntil);
    for (const [name, field] of other.fields) {
      const known = this.fields.get(name);
      if (known === undefined) this.fields.set(name, field.copy());
      else join(known, field, name);
    }
  }
}

/** A number as JSON keeps it to the digit: a text where a double would not. */
type Cell = number | string;

/**
 * A field in a rollup: count, sum, min, max, first and its time, last and its time, rise, falls
 * (null: too many), area (format 3).
 */
type Row = [
  number,
  Cell,
  Cell,
  Cell,
  Cell,
  number,
  Cell,
  number,
  Cell,
  (readonly [Cell, Cell])[] | null,
  (Cell | null)?,
];

/**
 * The summary as one text: a month has 720 of them, and reading a text is ten times faster than a map of numbers. Times
 * are milliseconds after `start`.
 */
export function encodeSummary({ fields }: Summary, start: number): string {
  const entries = [...fields].map(([name, field]) => [name, rowOf(field, start)] as const);
  return JSON.stringify(Object.fromEntries(entries));
}

/** What `encodeSummary` gave, with the same `start`. */
export function decodeSummary(text: string, start: number): Summary {
  const rows = Object.entries(JSON.parse(text) as Record<string, Row>);
  return new Summary(new Map(rows.map(([name, row]) => [name, fieldOf(row, start)])));
}

/** The sketches of a summary as one text; a field without one is left out. */
export function encodeSketches({ fields }: Summary): string {
  const known = [...fields].flatMap(([name, { sketch }]) =>
    sketch === undefined ? [] : [[name, sketch.encode()] as const],
  );
  return JSON.stringify(Object.fromEntries(known));
}

/** Gives the fields of a summary what `encodeSketches` has of them. */
export function addSketches({ fields }: Summary, text: string): void {
  for (const [name, encoded] of Object.entries(JSON.parse(text) as Record<string, EncodedSketch>)) {
    const field = fields.get(name);
    if (field !== undefined) field.sketch = Sketch.decode(encoded);
  }
}

function rowOf(field: FieldSummary, start: number): Row {
  const { first, last, falls, held } = field;
  return [
    field.count,
    cellOf(field.sum.value),
    cellOf(field.min),
    cellOf(field.max),
    cellOf(first.value),
    first.time - start,
    cellOf(last.value),
    last.time - start,
    cellOf(field.rise.value),
    falls?.map(([from, to]) => [cellOf(from), cellOf(to)] as const) ?? null,
    held === undefined ? null : cellOf(held.area.value),
  ];
}

function fieldOf(row: Row, start: number): FieldSummary {
  const [count, sum, min, max, first, firstAt, last, lastAt, rise, falls, area = null] = row;
  return new FieldSummary({
    count,
    sum: new ExactSum().add(numberOf(sum)),
    min: numberOf(min),
    max: numberOf(max),
    first: { value: numberOf(first), time: start + firstAt },
    last: { value: numberOf(last), time: start + lastAt },
    rise: new ExactSum().add(numberOf(rise)),
    falls: falls?.map(([from, to]): Fall => [numberOf(from), numberOf(to)]),
    sketch: undefined,
    // In an hour or a day no gap is too long for a value to hold.
    held:
      area === null
        ? undefined
        : { area: new ExactSum().add(numberOf(area)), heldMs: lastAt - firstAt },
  });
}

function cellOf(value: ExactNumber): Cell {
  return typeof value === 'number' ? value : value.digits;
}

function numberOf(cell: Cell): ExactNumber {
  return typeof cell === 'number' ? cell : new Decimal(cell);
}

function isNumber(value: FieldValue | undefined): value is ExactNumber {
  return typeof value === 'number' || value instanceof Decimal;
}
