import { compareNumbers, difference, ExactSum } from './exact-sum.ts';
import { Sketch } from './sketch.ts';
import type { ExactNumber } from './decimal.ts';

/** A value of a field and when it was reported, in epoch milliseconds. */
export interface Moment {
  time: number;
  value: ExactNumber;
}

/** A decrease between two readings: of a counter that was replaced, wrapped or reset. */
export type Fall = readonly [from: ExactNumber, to: ExactNumber];

/** How a counter that fell is understood. */
export interface CounterRules {
  /** The value at which it wraps to 0; a fall that is less than a tenth of it the other way round is then a wrap. */
  wrapsAt?: number | undefined;
  /** Any other fall: it began again at zero, so its new value counts, or somewhere, so that it counts for nothing. */
  reset: 'zero' | 'unknown';
}

/** A field with more decreases among the readings of an hour is no counter. */
const maxFallsOfReadings = 8;
/** Maximum number of decreases that are kept: more than a year of a counter that is reset daily. */
const maxFalls = 2000;

/** How long a value holds at most where no other follows. A rollup of a day has no longer gap. */
export const maxHoldMs = 86_400_000;

/** A sum of values, each times the milliseconds for which it held, and the sum of these. */
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
  first: Moment;
  last: Moment;
  /** The sum of all increases from one reading to the next. */
  readonly rise: ExactSum;
  /** In order of time; undefined when there were too many. */
  falls: readonly Fall[] | undefined;
  /** From the first value to the last one; undefined where a rollup of an earlier format does not tell. */
  held: HeldValues | undefined;
  /** Undefined where it was not requested or is not known. */
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

  static of(moment: Moment, hasSketch = false): FieldSummary {
    const { value } = moment;
    return new FieldSummary({
      count: 1,
      sum: new ExactSum().add(value),
      min: value,
      max: value,
      first: moment,
      last: moment,
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
   * Takes in a value that was reported behind all others.
   * @param isReset whether the counter was reset since the one before: the step between them is none
   */
  add(moment: Moment, isReset = false): void {
    const { value } = moment;
    if (!isReset) this.#step(value, maxFallsOfReadings);
    if (this.held !== undefined) hold(this.held, this.last, moment.time);
    this.count += 1;
    this.sum.add(value);
    this.sketch?.add(Number(value));
    this.#widen(value, value);
    this.last = moment;
  }

  /** Takes in what is known of the same device's time behind this one. @param isReset as for `add` */
  append(later: FieldSummary, isReset = false): void {
    if (!isReset) this.#step(later.first.value, maxFalls);
    this.rise.addSum(later.rise);
    this.#noteFalls(later.falls, maxFalls);
    if (this.held !== undefined) hold(this.held, this.last, later.first.time);
    this.held = this.held && later.held && addHeld(this.held, later.held);
    this.merge(later);
  }

  /**
   * Takes in the values of another device. Its steps are none of this one's, so `increase` and
   * `heldWithin` mean nothing afterwards. Values of one moment are in order upwards, so the first
   * of them is the least one and the last the greatest.
   */
  merge(other: FieldSummary): void {
    this.count += other.count;
    this.sum.addSum(other.sum);
    this.sketch = other.sketch && this.sketch?.merge(other.sketch);
    this.#widen(other.min, other.max);
    if (compareMoments(other.first, this.first) < 0) this.first = other.first;
    if (compareMoments(other.last, this.last) > 0) this.last = other.last;
  }

  /**
   * By how much a counter went up, from its last value before this time on (without one, from its first in it).
   * Undefined where it fell too often to be a counter.
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
   * The values within a range (epoch milliseconds) that has all of them, each for as long as it
   * held: until the next one, or the range's end. The last value before the range holds on in it.
   * Undefined where that is not known.
   */
  heldWithin(
    range: { from: number; to: number },
    before: Moment | undefined,
  ): HeldValues | undefined {
    if (this.held === undefined) return undefined;
    const held = addHeld(noneHeld(), this.held);
    hold(held, this.last, range.to);
    return before === undefined ? held : hold(held, before, this.first.time, range.from);
  }

  /**
   * The value that so many percent of all are not above, within the error of sketches. Undefined
   * where that is not known.
   */
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

  #noteFalls(more: readonly Fall[] | undefined, most: number): void {
    if (more?.length === 0) return;
    const falls = this.falls && more && [...this.falls, ...more];
    this.falls = falls !== undefined && falls.length <= most ? falls : undefined;
  }

  #widen(min: ExactNumber, max: ExactNumber): void {
    if (compareNumbers(min, this.min) < 0) this.min = min;
    if (compareNumbers(max, this.max) > 0) this.max = max;
  }
}

function noneHeld(): HeldValues {
  return { area: new ExactSum(), heldMs: 0 };
}

function addHeld(held: HeldValues, more: HeldValues): HeldValues {
  held.area.addSum(more.area);
  held.heldMs += more.heldMs;
  return held;
}

/** Adds a value from when it was reported, or later, until another one was. */
function hold(held: HeldValues, { time, value }: Moment, until: number, from = time): HeldValues {
  const heldMs = Math.min(until, time + maxHoldMs) - from;
  if (heldMs <= 0) return held;
  held.area.addProduct(value, heldMs);
  held.heldMs += heldMs;
  return held;
}

function compareMoments(left: Moment, right: Moment): number {
  return left.time - right.time || compareNumbers(left.value, right.value);
}

function afterFall([from, to]: Fall, { wrapsAt, reset }: CounterRules): ExactSum {
  if (wrapsAt !== undefined) {
    const wrapped = difference(to, from).add(wrapsAt);
    const isShort = compareNumbers(wrapped.value, wrapsAt / 10) < 0;
    if (wrapped.sign >= 0 && isShort) return wrapped;
  }
  return reset === 'zero' ? new ExactSum().add(to) : new ExactSum();
}
