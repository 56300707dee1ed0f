import { firstIndexWhere } from './first-index-where.ts';
import type { TimeRange } from '../time-range.ts';

/** Ranges of at most this length, in order of their beginning. */
interface LengthClass<Range> {
  maxLength: number;
  ranges: readonly Range[];
}

const shortestClassMs = 1000;
const growthFactor = 32;

/** Finds the ranges that touch another one: of each class of lengths, it compares only a part of a sorted list. */
export class RangeIndex<Range extends TimeRange> {
  readonly #classes: readonly LengthClass<Range>[];

  constructor(ranges: readonly Range[]) {
    this.#classes = [...Map.groupBy(ranges, maxLengthFor)].map(([maxLength, own]) => ({
      maxLength,
      ranges: own.toSorted((left, right) => left.from - right.from),
    }));
  }

  get isEmpty(): boolean {
    return this.#classes.length === 0;
  }

  /** In no order. */
  touching({ from, to }: TimeRange): Range[] {
    return this.#classes.flatMap(({ maxLength, ranges }) => {
      const start = firstIndexWhere(ranges, (one) => one.from > from - maxLength);
      const end = firstIndexWhere(ranges, (one) => one.from >= to);
      return ranges.slice(start, end).filter((one) => one.to > from);
    });
  }
}

function maxLengthFor({ from, to }: TimeRange): number {
  let length = shortestClassMs;
  while (length < to - from) length *= growthFactor;
  return length;
}
