import { compareNumbers, difference, ExactSum } from './exact-sum.ts';
import { Sketch } from './sketch.ts';
import type { ExactNumber } from '../values/decimal.ts';

/** A value of a field and when it was reported, in epoch milliseconds. */
export interface TimedValue {
  time: number;
  value: ExactNumber;
}

/** A decrease between two readings: a counter was replaced, wrapped or reset. */
export type CounterDecrease = readonly [from: ExactNumber, to: ExactNumber];

/** Interpretation of a counter's decrease. */
export interface CounterRules {
  /**
   * The value at which the counter wraps to 0; a decrease is a wrap if the distance across the wrap is less than a
   * tenth of the counter's range.
   */
  wrapsAt?: number | undefined;
  /** Other decreases: a restart at zero counts the new value, a restart at an unknown value counts nothing. */
  reset: 'zero' | 'unknown';
}

/** A field with more decreases among the readings of an hour is not a counter. */
const maxFallsOfReadings = 8;
/** Maximum number of stored decreases: more than a year of a counter that is reset daily. */
const maxFalls = 2000;

/** Maximum time for which a value holds without a successor. A daily rollup has no longer gap. */
export const maxHoldMs = 86_400_000;

/** The sum of values weighted by the milliseconds for which they held, and the sum of these milliseconds. */
export interface HeldValues {
  area: ExactSum;
  heldMs: number;
}

/** Statistics of one numeric field of one device over a period, exact to the digit. */
export class FieldSummary {
  count: number;
  readonly sum: ExactSum;
  min: ExactNumber;
  max: ExactNumber;
  first: TimedValue;
  last: TimedValue;
  /** The sum of all increases from one reading to the next. */
  readonly rise: ExactSum;
  /** In order of time; undefined after too many decreases. */
  falls: readonly CounterDecrease[] | undefined;
  /** From the first value to the last one; undefined for a rollup of an earlier format. */
  held: HeldValues | undefined;
  /** Undefined where sketches were not requested or are unknown. */
  sketch: Sketch | undefined;

  constructor(
    known: Omit<
      FieldSummary,
      'add' | 'append' | 'merge' | 'increase' | 'heldWithin' | 'percentile' | 'copy'
    >,
  ) {
    this.count = known.count;
    this.sum = known.sum;
    this.min = known.min;
    this.max = known.max;
    this.first = known.first;
    this.last = known.last;
    this.rise = known.rise;
    this.falls = known.falls;
    this.held = known.held;
    this.sketch = known.sketch;
  }

  static of(timedValue: TimedValue, hasSketch = false): FieldSummary {
    const { value } = timedValue;
    return new FieldSummary({
      count: 1,
      sum: new ExactSum().add(value),
      min: value,
      max: value,
      first: timedValue,
      last: timedValue,
      rise: new ExactSum(),
      falls: [],
      held: noneHeld(),
      sketch: hasSketch ? new Sketch().add(Number(value)) : undefined,
    });
  }

  copy(): FieldSummary {
    const { count, sum, min, max, first, last, rise, falls } = this;
    const held = this.held && addHeld(noneHeld(), this.held);
    const sketch = this.sketch && new Sketch().merge(this.sketch);
    const sums = { sum: new ExactSum().addSum(sum), rise: new ExactSum().addSum(rise) };
    const copies = { ...sums, held, sketch };
    return new FieldSummary({ count, min, max, first, last, falls, ...copies });
  }

  /**
   * Adds a value reported after all others.
   * @param isReset whether the counter was reset since the last value: the step between the two is not counted
   */
  add(timedValue: TimedValue, isReset = false): void {
    const { value } = timedValue;
    if (!isReset) this.#step(value, maxFallsOfReadings);
    if (this.held !== undefined) hold(this.held, this.last, timedValue.time);
    this.count += 1;
    this.sum.add(value);
    this.sketch?.add(Number(value));
    this.#widen(value, value);
    this.last = timedValue;
  }

  /**
   * Appends the summary of a later period of the same device.
   * @param isReset as for `add`
   */
  append(later: FieldSummary, isReset = false): void {
    if (!isReset) this.#step(later.first.value, maxFalls);
    this.rise.addSum(later.rise);
    this.#noteFalls(later.falls, maxFalls);
    if (this.held !== undefined) hold(this.held, this.last, later.first.time);
    this.held = this.held && later.held && addHeld(this.held, later.held);
    this.merge(later);
  }

  /**
   * Adds the values of another device. Steps between devices are not counted, so `increase` and `heldWithin` are
   * undefined in meaning afterwards. Values of one moment are in ascending order, so the first is the minimum and the
   * last the maximum.
   */
  merge(other: FieldSummary): void {
    this.count += other.count;
    this.sum.addSum(other.sum);
    this.sketch = other.sketch && this.sketch?.merge(other.sketch);
    this.#widen(other.min, other.max);
    if (compareTimedValues(other.first, this.first) < 0) this.first = other.first;
    if (compareTimedValues(other.last, this.last) > 0) this.last = other.last;
  }

  /**
   * Increase of a counter since its last value before this period (without one, since the first value). Undefined where
   * it fell too often for a counter.
   * @param isReset whether the counter was reset since `before`
   */
  increase(
    before: ExactNumber | undefined,
    rules: CounterRules,
    isReset = false,
  ): ExactSum | undefined {
    if (this.falls === undefined) return undefined;
    const increase = new ExactSum().addSum(this.rise);
    for (const fall of this.falls) increase.addSum(afterFall(fall, rules));
    if (before === undefined || isReset) return increase;
    const { value } = this.first;
    const isFall = compareNumbers(value, before) < 0;
    return increase.addSum(isFall ? afterFall([before, value], rules) : difference(value, before));
  }

  /**
   * The values within a range (epoch milliseconds) that contains the whole summary, each weighted by the time until the
   * next value or the end of the range. The last value before the range holds at its start. Undefined where durations
   * are unknown.
   */
  heldWithin(
    range: { from: number; to: number },
    before: TimedValue | undefined,
  ): HeldValues | undefined {
    if (this.held === undefined) return undefined;
    const held = addHeld(noneHeld(), this.held);
    hold(held, this.last, range.to);
    return before === undefined ? held : hold(held, before, this.first.time, range.from);
  }

  /** The percentile of all values, within the error of sketches. Undefined where sketches are unknown. */
  percentile(percent: number): ExactNumber | undefined {
    const value = this.sketch?.percentile(percent);
    if (value === undefined) return undefined;
    if (compareNumbers(value, this.min) < 0) return this.min;
    return compareNumbers(value, this.max) > 0 ? this.max : value;
  }

  #step(value: ExactNumber, most: number): void {
    const before = this.last.value;
    if (compareNumbers(value, before) < 0) this.#noteFalls([[before, value]], most);
    else this.rise.add(value).subtract(before);
  }

  #noteFalls(more: readonly CounterDecrease[] | undefined, most: number): void {
    if (more?.length === 0) return;
    const falls = this.falls && more && [...this.falls, ...more];
    this.falls = falls !== undefined && falls.length <= most ? falls : undefined;
  }

  #widen(min: ExactNumber, max: ExactNumber): void {
    if (compareNumbers(min, this.min) < 0) this.min = min;
    if (compareNumbers(max, this.max) > 0) this.max = max;
  }
}

/** A value that holds for some milliseconds; none if they are negative. */
export function heldFor(value: ExactNumber, heldMs: number): HeldValues {
  const held = noneHeld();
  if (heldMs <= 0) return held;
  held.area.addProduct(value, heldMs);
  held.heldMs = heldMs;
  return held;
}

function noneHeld(): HeldValues {
  return { area: new ExactSum(), heldMs: 0 };
}

function addHeld(held: HeldValues, more: HeldValues): HeldValues {
  held.area.addSum(more.area);
  held.heldMs += more.heldMs;
  return held;
}

/** Adds a value for the time from its report, or later, until the next one. */
function hold(
  held: HeldValues,
  { time, value }: TimedValue,
  until: number,
  from = time,
): HeldValues {
  return addHeld(held, heldFor(value, Math.min(until, time + maxHoldMs) - from));
}

function compareTimedValues(left: TimedValue, right: TimedValue): number {
  return left.time - right.time || compareNumbers(left.value, right.value);
}

function afterFall([from, to]: CounterDecrease, { wrapsAt, reset }: CounterRules): ExactSum {
  if (wrapsAt !== undefined) {
    const wrapped = difference(to, from).add(wrapsAt);
    const isShort = compareNumbers(wrapped.value, wrapsAt / 10) < 0;
    if (wrapped.sign >= 0 && isShort) return wrapped;
  }
  return reset === 'zero' ? new ExactSum().add(to) : new ExactSum();
}
