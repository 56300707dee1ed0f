import { Summary } from '@engawa/model';
import type { Reading, ResetMarks } from '@engawa/model';
import type { SummaryRange } from './summary-ranges.ts';

/** Assigns readings, in order of time, to the ranges that contain them. */
export class Gathering {
  readonly #ranges: readonly SummaryRange[];
  readonly #isReset: ResetMarks;
  #index = 0;
  readonly #hasSketches: boolean;
  #summary: Summary;

  constructor(ranges: readonly SummaryRange[], isReset: ResetMarks, hasSketches: boolean) {
    this.#ranges = ranges;
    this.#isReset = isReset;
    this.#hasSketches = hasSketches;
    this.#summary = new Summary(undefined, hasSketches);
  }

  /** Readings of one moment must come in one call. */
  add(readings: readonly Reading[]): void {
    for (let start = 0, end = 0; start < readings.length; start = end) {
      const first = readings[start];
      if (first === undefined) break; // in a gap between ranges
      end = start + 1;
      while (readings[end]?.time === first.time) end += 1;
      while (first.time >= (this.#ranges[this.#index]?.to ?? Infinity)) this.#next();
      if (end - start === 1) this.#summary.add(first, this.#isReset);
      else this.#summary.addMoment(readings.slice(start, end), this.#isReset);
    }
  }

  /** Completes the last range: there are no further readings. */
  end(): void {
    while (this.#index < this.#ranges.length) this.#next();
  }

  #next(): void {
    const range = this.#ranges[this.#index];
    if (range !== undefined) range.summary = this.#summary;
    this.#summary = new Summary(undefined, this.#hasSketches);
    this.#index += 1;
  }
}
