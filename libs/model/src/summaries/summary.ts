import { isInOrderOfReceipt } from '../readings/block-name.ts';
import { Decimal } from '../values/decimal.ts';
import { compareNumbers, ExactSum } from './exact-sum.ts';
import { FieldSummary } from './field-summary.ts';
import { fieldTexts } from '../values/parted-items.ts';
import { Sketch } from './sketch.ts';
import type { ExactNumber } from '../values/decimal.ts';
import type { CounterDecrease, TimedValue } from './field-summary.ts';
import type { FieldValue, Reading } from '../readings/reading.ts';
import type { EncodedSketch } from './sketch.ts';

/** Whether a counter is marked as reset after a time and at or before another one (epoch milliseconds). */
export type ResetMarks = (field: string, after: number, until: number) => boolean;

const noResets: ResetMarks = () => false;

/** Summary of a period: statistics of each field with a number in it. */
export class Summary {
  readonly fields: Map<string, FieldSummary>;
  /** Fields with a value that is no number: a text, true or false. A field with numbers may be among them. */
  readonly nonNumeric: Set<string>;
  /**
   * Epoch milliseconds: readings before this time may have expired uncounted; -Infinity without expiry. Not stored in
   * rollups.
   */
  expiredUntil = -Infinity;
  readonly #hasSketches: boolean;

  /** @param hasSketches whether added readings are counted for percentiles */
  constructor(
    fields = new Map<string, FieldSummary>(),
    hasSketches = false,
    nonNumeric: Iterable<string> = [],
  ) {
    this.fields = fields;
    this.nonNumeric = new Set(nonNumeric);
    this.#hasSketches = hasSketches;
  }

  /** Adds a reading that is newer than all before it. */
  add({ time, fields }: Reading, isReset = noResets): void {
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      if (isNumber(value)) this.#addValue(name, { time, value }, isReset);
      else this.#addNonNumeric(name, value);
    }
  }

  /**
   * Adds the readings of one moment, newer than all before. Where their order of receipt is not known (blocks of
   * version 0.2), the values of each field are in ascending order, so that a counter that reports twice does not fall.
   */
  addMoment(readings: readonly Reading[], isReset = noResets): void {
    const [first] = readings;
    if (first === undefined) return;
    const isOrdered = readings.every(({ order = '' }) => isInOrderOfReceipt(order));
    const values = new Map<string, ExactNumber[]>();
    for (const { fields } of readings) {
      for (const name of Object.keys(fields)) {
        const value = fields[name];
        if (!isNumber(value)) {
          this.#addNonNumeric(name, value);
          continue;
        }
        const ofField = values.get(name);
        if (ofField === undefined) values.set(name, [value]);
        else ofField.push(value);
      }
    }
    for (const [name, ofField] of values) {
      for (const value of isOrdered ? ofField : ofField.sort(compareNumbers)) {
        this.#addValue(name, { time: first.time, value }, isReset);
      }
    }
  }

  /** Sorted: the fields that have values, none of which is a number. */
  get withoutNumbers(): string[] {
    return [...this.nonNumeric].filter((name) => !this.fields.has(name)).sort();
  }

  /** Appends the summary of a later period of the same device. */
  append(later: Summary, isReset = noResets): void {
    this.#take(later, (known, field, name) =>
      known.append(field, isReset(name, known.last.time, field.first.time)),
    );
  }

  /** Adds the values of another device. */
  merge(other: Summary): void {
    this.#take(other, (known, field) => known.merge(field));
  }

  #addNonNumeric(name: string, value: FieldValue | undefined): void {
    if (value !== null && value !== undefined) this.nonNumeric.add(name);
  }

  #addValue(name: string, timedValue: TimedValue, isReset: ResetMarks): void {
    const known = this.fields.get(name);
    if (known === undefined) this.fields.set(name, FieldSummary.of(timedValue, this.#hasSketches));
    else known.add(timedValue, isReset(name, known.last.time, timedValue.time));
  }

  #take(
    other: Summary,
    join: (known: FieldSummary, field: FieldSummary, name: string) => void,
  ): void {
    this.expiredUntil = Math.max(this.expiredUntil, other.expiredUntil);
    for (const name of other.nonNumeric) this.nonNumeric.add(name);
    for (const [name, field] of other.fields) {
      const known = this.fields.get(name);
      if (known === undefined) this.fields.set(name, field.copy());
      else join(known, field, name);
    }
  }
}

/** A number in JSON without loss of digits: a text where a double is not exact. */
type Cell = number | string;

/**
 * A field in a rollup: count, sum, min, max, first and its time, last and its time, increase, decreases (null: too
 * many), area (format 3).
 */
type FieldTuple = [
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
 * The summary as texts: a month has 720 summaries, and parsing a text is ten times faster than parsing a map of
 * numbers. Nearly always one; several where one would not fit into an item. Times are milliseconds after `start`.
 */
export function encodeSummary({ fields }: Summary, start: number): string[] {
  return fieldTexts([...fields].map(([name, field]) => [name, rowOf(field, start)] as const));
}

/**
 * Decodes the texts of `encodeSummary` for the same `start`.
 * @param withoutNumbers as of a summary
 */
export function decodeSummary(
  texts: readonly string[],
  start: number,
  withoutNumbers?: Iterable<string>,
): Summary {
  const fields = new Map<string, FieldSummary>();
  for (const text of texts) {
    for (const [name, row] of Object.entries(JSON.parse(text) as Record<string, FieldTuple>)) {
      fields.set(name, fieldOf(row, start));
    }
  }
  return new Summary(fields, false, withoutNumbers);
}

/** The sketches of a summary as texts; a field without a sketch is omitted. */
export function encodeSketches({ fields }: Summary): string[] {
  return fieldTexts(
    [...fields].flatMap(([name, { sketch }]) =>
      sketch === undefined ? [] : [[name, sketch.encode()] as const],
    ),
  );
}

/** Adds the sketches in the texts of `encodeSketches` to the fields of a summary. */
export function addSketches({ fields }: Summary, texts: readonly string[]): void {
  for (const text of texts) {
    for (const [name, encoded] of Object.entries(
      JSON.parse(text) as Record<string, EncodedSketch>,
    )) {
      const field = fields.get(name);
      if (field !== undefined) field.sketch = Sketch.decode(encoded);
    }
  }
}

function rowOf(field: FieldSummary, start: number): FieldTuple {
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

function fieldOf(row: FieldTuple, start: number): FieldSummary {
  const [count, sum, min, max, first, firstAt, last, lastAt, rise, falls, area = null] = row;
  return new FieldSummary({
    count,
    sum: new ExactSum().add(numberOf(sum)),
    min: numberOf(min),
    max: numberOf(max),
    first: { value: numberOf(first), time: start + firstAt },
    last: { value: numberOf(last), time: start + lastAt },
    rise: new ExactSum().add(numberOf(rise)),
    falls: falls?.length === 0 ? noFalls : falls?.map(fallOf),
    sketch: undefined,
    // An hour or a day has no gap that is longer than a value holds.
    held:
      area === null
        ? undefined
        : { area: new ExactSum().add(numberOf(area)), heldMs: lastAt - firstAt },
  });
}

const noFalls: readonly CounterDecrease[] = [];

function fallOf([from, to]: readonly [Cell, Cell]): CounterDecrease {
  return [numberOf(from), numberOf(to)];
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
