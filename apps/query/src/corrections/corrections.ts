import { createHash } from 'node:crypto';
import { appliedRanges, correctionWeight } from '@engawa/model';
import { Overlay } from './overlay.ts';
import { RangeIndex } from './range-index.ts';
import type { Correction, CorrectionState, ResetMarks, Summary } from '@engawa/model';
import type { TimeRange } from '../time-range.ts';

const always: TimeRange = { from: -Infinity, to: Infinity };

/** The corrections of one device, as they are applied on read (docs/adr/0048). */
export class Corrections {
  static readonly none = new Corrections([]);

  /** Including undone corrections. */
  readonly #all: RangeIndex<Correction>;
  /** One for each range in which a correction applies. */
  readonly #active: RangeIndex<Correction>;
  readonly #resets: RangeIndex<Correction>;
  /** Epoch milliseconds: all corrections are known that touch these times, and no others may be asked for. */
  readonly known: TimeRange;
  /** Number of corrections and replacement readings, as a measure of memory. */
  readonly weight: number;
  /** Applied to readings. */
  readonly shown: Overlay;
  /** Applied to aggregates. */
  readonly counted: Overlay;

  /** @param state of the device's item, which has the moves that cut corrections */
  constructor(all: readonly Correction[], state?: CorrectionState, known = always) {
    this.#all = new RangeIndex(all);
    this.known = known;
    this.weight = all.reduce((sum, one) => sum + correctionWeight(one), 1);
    const active = all
      .filter(({ undoneAt }) => undoneAt === undefined)
      .sort((left, right) => left.sequence - right.sequence)
      .flatMap((one) => appliedParts(one, state));
    this.#active = new RangeIndex(active);
    this.#resets = new RangeIndex(active.filter(({ operation }) => operation === 'reset'));
    this.shown = new Overlay(active.filter(({ operation }) => hides(operation, false)));
    this.counted = new Overlay(active.filter(({ operation }) => hides(operation, true)));
  }

  /** A tag of the corrections that overlap a range, stored in rollups made with them; undefined for none. */
  tagOf(range: TimeRange): string | undefined {
    const touching = this.#active.touching(range);
    if (touching.length === 0) return undefined;
    touching.sort((left, right) => left.sequence - right.sequence || left.from - right.from);
    const isWhole = ({ within }: Correction) => within === undefined;
    const ids = touching.filter(isWhole).map(({ id }) => id);
    // A part that a move cuts afterwards gets another tag.
    const parts = touching.filter((one) => !isWhole(one)).map(({ id, from, to }) => [id, from, to]);
    const text = JSON.stringify([...ids.sort(), ...parts]);
    return createHash('sha256').update(text).digest('base64url').slice(0, 16);
  }

  /** Whether a counter reset is marked in the range (`after`, `until`]. */
  readonly isReset: ResetMarks = (field, after, until) =>
    !this.#resets.isEmpty &&
    this.#resets
      .touching({ from: after, to: until + 1 })
      .some(
        ({ from, fields }) =>
          from > after && from <= until && (fields === undefined || fields.includes(field)),
      );

  /**
   * Copies fields that no correction of the range ever concerned, from a summary that was made with
   * other corrections. Its other fields cannot be recovered.
   */
  keepUntouched(range: TimeRange, made: Summary, into: Summary): void {
    const touching = this.#all.touching(range);
    const isTouched = (name: string) =>
      touching.some(({ fields }) => fields === undefined || fields.includes(name));
    for (const [name, field] of made.fields) if (!isTouched(name)) into.fields.set(name, field);
    for (const name of made.nonNumeric) if (!isTouched(name)) into.nonNumeric.add(name);
  }
}

function hides(operation: Correction['operation'], isCounted: boolean): boolean {
  return operation === 'delete' || operation === 'replace' || (isCounted && operation === 'ignore');
}

/** A correction for each range in which it applies; the same object where that is its whole range. */
function appliedParts(correction: Correction, state: CorrectionState | undefined): Correction[] {
  const { within, readings } = correction;
  if (within === undefined) return [correction];
  return appliedRanges(correction, state).map(({ from, to }) => ({
    ...correction,
    ...{ from, to },
    ...(readings && { readings: readings.filter(({ time }) => time >= from && time < to) }),
  }));
}
