import { createHash } from 'node:crypto';
import { Overlay } from './overlay.ts';
import type { Correction, ResetMarks, Summary } from '@engawa/model';
import type { TimeRange } from '../readings/merge-blocks.ts';

/** All corrections of one device, as readers apply them (docs/adr/0048). */
export class Corrections {
  static readonly none = new Corrections([]);

  /** Undone ones included. */
  readonly #all: readonly Correction[];
  /** In the order in which they were made. */
  readonly #active: readonly Correction[];
  /** For what is shown as it was taken. */
  readonly shown: Overlay;
  /** For what is summed up. */
  readonly counted: Overlay;

  constructor(all: readonly Correction[]) {
    this.#all = all;
    this.#active = all
      .filter(({ undoneAt }) => undoneAt === undefined)
      .sort((left, right) => left.sequence - right.sequence);
    this.shown = new Overlay(this.#active.filter(({ operation }) => hides(operation, false)));
    this.counted = new Overlay(this.#active.filter(({ operation }) => hides(operation, true)));
  }

  /** Corrections and replacement readings: what they take of memory. */
  get weight(): number {
    return this.#all.reduce((sum, { readings = [] }) => sum + 1 + readings.length, 1);
  }

  /** Names those that touch a range, for a rollup made with them; undefined for none. */
  tagOf(range: TimeRange): string | undefined {
    const ids = this.#active.filter((one) => overlaps(one, range)).map(({ id }) => id);
    if (ids.length === 0) return undefined;
    const text = JSON.stringify(ids.sort());
    return createHash('sha256').update(text).digest('base64url').slice(0, 16);
  }

  /** Whether a counter is marked as reset after a time and at or before another one. */
  readonly isReset: ResetMarks = (field, after, until) =>
    this.#active.some(
      ({ operation, from, fields }) =>
        operation === 'reset' &&
        from > after &&
        from <= until &&
        (fields === undefined || fields.includes(field)),
    );

  /**
   * Takes those fields of a summary that no correction of the range was ever about, from one that was made with other
   * corrections: what else that has cannot be known any more.
   */
  keepUntouched(range: TimeRange, made: Summary, into: Summary): void {
    const touching = this.#all.filter((one) => overlaps(one, range));
    for (const [name, field] of made.fields) {
      if (touching.some(({ fields }) => fields === undefined || fields.includes(name))) continue;
      into.fields.set(name, field);
    }
  }
}

function hides(operation: Correction['operation'], isCounted: boolean): boolean {
  return operation === 'delete' || operation === 'replace' || (isCounted && operation === 'ignore');
}

function overlaps(correction: TimeRange, { from, to }: TimeRange): boolean {
  return correction.from < to && correction.to > from;
}
