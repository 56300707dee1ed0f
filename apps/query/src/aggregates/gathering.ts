import { invariant } from '@engawa/errors';
import { Summary } from '@engawa/model';
import type { Reading, ResetMarks } from '@engawa/model';
import type { TimeRange } from '../time-range.ts';
import type { SummaryRange } from './summary-ranges.ts';

export interface GatheringOptions {
  isReset: ResetMarks;
  /** Whether percentiles are requested. */
  withSketches?: boolean | undefined;
  /** Called with each complete summary; returns whether no further ones are needed. */
  count: (summary: Summary, range: TimeRange) => boolean;
}

/** Assigns readings, in order of time, to the ranges that contain them. */
export class Gathering {
  readonly #ranges: readonly SummaryRange[];
  readonly #isReset: ResetMarks;
  #index = 0;
  readonly #hasSketches: boolean;
  readonly #count: GatheringOptions['count'];
  #summary: Summary;
  /** Whether no further readings are needed. */
  isEnough = false;

  constructor(ranges: readonly SummaryRange[], options: GatheringOptions) {
    this.#ranges = ranges;
    this.#isReset = options.isReset;
    this.#hasSketches = options.withSketches ?? false;
    this.#count = options.count;
    this.#summary = new Summary(undefined, this.#hasSketches);
  }

  /** Readings of one moment must come in one call. */
  add(readings: readonly Reading[]): void {
    for (let start = 0, end = 0; start < readings.length; start = end) {
      const first = invariant(readings[start], 'the index is within the readings');
      end = start + 1;
      while (readings[end]?.time === first.time) end += 1;
      while (!this.isEnough && first.time >= (this.#ranges[this.#index]?.to ?? Infinity)) {
        this.#next();
      }
      if (this.isEnough) return;
      if (first.time < (this.#ranges[this.#index]?.from ?? Infinity)) continue; // between two stays
      if (end - start === 1) this.#summary.add(first, this.#isReset);
      else this.#summary.addMoment(readings.slice(start, end), this.#isReset);
    }
  }

  /** Completes the last ranges: there are no further readings. */
  end(): void {
    while (!this.isEnough && this.#index < this.#ranges.length) this.#next();
  }

  #next(): void {
    const range = this.#ranges[this.#index];
    if (range !== undefined) {
      range.summary = this.#summary;
      this.isEnough = this.#count(this.#summary, range);
    }
    this.#summary = new Summary(undefined, this.#hasSketches);
    this.#index += 1;
  }
}
