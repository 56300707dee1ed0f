import { Summary } from '@engawa/model';
import type { Reading, ResetMarks } from '@engawa/model';
import type { Piece } from './pieces.ts';

/** Assigns readings, in order of time, to the pieces that contain them. */
export class Gathering {
  readonly #pieces: readonly Piece[];
  readonly #isReset: ResetMarks;
  #index = 0;
  readonly #hasSketches: boolean;
  #summary: Summary;

  constructor(pieces: readonly Piece[], isReset: ResetMarks, hasSketches: boolean) {
    this.#pieces = pieces;
    this.#isReset = isReset;
    this.#hasSketches = hasSketches;
    this.#summary = new Summary(undefined, hasSketches);
  }

  /** Readings of one moment must come in one call. */
  add(readings: readonly Reading[]): void {
    for (let start = 0, end = 0; start < readings.length; start = end) {
      const first = readings[start];
      if (first === undefined) break; // in a gap between pieces
      end = start + 1;
      while (readings[end]?.time === first.time) end += 1;
      while (first.time >= (this.#pieces[this.#index]?.to ?? Infinity)) this.#next();
      if (end - start === 1) this.#summary.add(first, this.#isReset);
      else this.#summary.addMoment(readings.slice(start, end), this.#isReset);
    }
  }

  /** Completes the last piece: there are no further readings. */
  end(): void {
    while (this.#index < this.#pieces.length) this.#next();
  }

  #next(): void {
    const piece = this.#pieces[this.#index];
    if (piece !== undefined) piece.summary = this.#summary;
    this.#summary = new Summary(undefined, this.#hasSketches);
    this.#index += 1;
  }
}
