import { afterBlocks, compareReceipt, identityOf, tolerableAheadMs } from '@engawa/model';
import { firstIndexWhere } from './first-index-where.ts';
import { RangeIndex } from './range-index.ts';
import type { Correction, Fields, Reading } from '@engawa/model';
import type { TimeRange } from '../time-range.ts';

/** A range in which all fields, or the named ones, are hidden. */
interface OverlaySegment extends TimeRange {
  hidden: ReadonlySet<string> | 'all' | 'nothing';
}

/** A corrected reading with its original, by which duplicates are recognised. */
export interface CorrectedReading extends Reading {
  original?: Fields;
}

/** What identifies a reading as stored, or as given in a correction. */
export function identityWas(reading: CorrectedReading): string {
  const { original } = reading;
  return identityOf(original === undefined ? reading : { ...reading, fields: original });
}

/** Hides readings of ranges, and adds their replacements. */
export class Overlay {
  readonly #corrections: readonly Correction[];
  readonly #index: RangeIndex<Correction>;
  /** Epoch milliseconds, ascending: the boundaries of the segments. */
  readonly #borders: readonly number[];
  #added: CorrectedReading[] | undefined;
  /** The segment of the last lookup: readings come in order of time. */
  #segment: OverlaySegment | undefined;

  /** @param corrections that hide something, in the order of their creation */
  constructor(corrections: readonly Correction[]) {
    this.#corrections = corrections;
    this.#index = new RangeIndex(corrections);
    const borders = new Set(corrections.flatMap(({ from, to }) => [from, to]));
    this.#borders = [...borders].sort((left, right) => left - right);
  }

  /** True for most devices. */
  get isEmpty(): boolean {
    return this.#corrections.length === 0;
  }

  /** The visible fields of a stored reading: the same object where none is hidden; undefined where all are. */
  fieldsOf({ time, fields }: Reading): Fields | undefined {
    if (this.isEmpty) return fields;
    const { hidden } = this.#segmentAt(time);
    if (hidden === 'nothing') return fields;
    return hidden === 'all' ? undefined : without(fields, hidden);
  }

  /** A stored reading as it is shown; undefined where it is hidden. */
  apply(reading: Reading): CorrectedReading | undefined {
    const fields = this.fieldsOf(reading);
    if (fields === undefined || fields === reading.fields) return fields && reading;
    return { ...reading, fields, original: reading.fields };
  }

  /** The replacement readings of a range, in order of time. */
  added({ from, to }: TimeRange): CorrectedReading[] {
    this.#added ??= this.#corrections.flatMap((one) => this.#addedBy(one)).sort(compareReceipt);
    return this.#added.filter(({ time }) => time >= from && time < to);
  }

  /** The replacement readings of a correction that no later correction hides; received when it was made. */
  #addedBy({ readings = [], sequence, from, to, madeAt }: Correction): CorrectedReading[] {
    if (readings.length === 0) return [];
    const later = this.#index.touching({ from, to }).filter((one) => one.sequence > sequence);
    return readings.flatMap((reading) => {
      const isAhead = reading.time > madeAt + tolerableAheadMs;
      const added = { ...reading, order: afterBlocks, ...(isAhead && { receivedAt: madeAt }) };
      const hidden = hiddenBy(later.filter((one) => covers(one, reading.time)));
      if (hidden === 'nothing') return [added];
      const fields = hidden === 'all' ? undefined : without(reading.fields, hidden);
      return fields === undefined ? [] : [{ ...added, fields, original: reading.fields }];
    });
  }

  #segmentAt(time: number): OverlaySegment {
    const known = this.#segment;
    if (known !== undefined && time >= known.from && time < known.to) return known;
    const next = firstIndexWhere(this.#borders, (border) => border > time);
    const from = this.#borders[next - 1] ?? -Infinity;
    const to = this.#borders[next] ?? Infinity;
    const near = this.#index.touching({ from: time, to: time + 1 });
    const hidden = hiddenBy(near.filter((one) => covers(one, time)));
    this.#segment = { from, to, hidden };
    return this.#segment;
  }
}

function covers({ from, to }: TimeRange, time: number): boolean {
  return from <= time && time < to;
}

function hiddenBy(corrections: readonly Correction[]): OverlaySegment['hidden'] {
  if (corrections.length === 0) return 'nothing';
  if (corrections.some(({ fields }) => fields === undefined)) return 'all';
  return new Set(corrections.flatMap(({ fields = [] }) => fields));
}

/** Undefined where no field remains. */
function without(fields: Fields, hidden: ReadonlySet<string>): Fields | undefined {
  const all = Object.entries(fields);
  const kept = all.filter(([name]) => !hidden.has(name));
  if (kept.length === all.length) return fields;
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
