import { InvariantError } from '@engawa/errors';
import { reasonOfCode, refusalText } from './refusal-texts.ts';
import { Rejection } from './rejection.ts';
import type { DeadLetterReason, DetailCode } from '@engawa/model';
import type { RefusalCode, RefusalValues } from './refusal-texts.ts';

/** Why a message, the reading at `index` in it, or some values of that reading, are not stored. */
export interface Refusal {
  reason: DeadLetterReason;
  /** The text of `detailCode`, in English. */
  detail: string;
  detailCode: DetailCode & { code: RefusalCode };
  index?: number;
  /** Number of readings that the refusal stands for, if more than one: those after the first thousand. */
  times?: number;
  /** Absent where nothing of the reading is stored. */
  partial?: PartialRefusal;
}

/** A value that cannot be stored, of a reading whose other values can be. */
export interface LeftOut extends Pick<Refusal, 'reason' | 'detail' | 'detailCode'> {
  /** In quotation marks, and truncated. */
  field: string;
}

/** The values of a reading that cannot be stored; at least one. */
export interface LeftOutSummary {
  /** Number of all values. */
  count: number;
  /** The first values, with their reasons. */
  named: readonly LeftOut[];
}

/** The values that are left out of a reading whose other values are stored. */
export interface PartialRefusal {
  leftOut: LeftOutSummary;
  /** Names of the fields that are stored. */
  storedFields: readonly string[];
}

/** Outcome of readings that were ingested together. */
export interface IngestResult {
  stored: number;
  /** In the order of the indexes; those without an index are about all readings. */
  refusals: readonly Refusal[];
}

/** Maximum bytes of a detail. A dead letter has a kilobyte for the detail, including its own additions. */
const maxDetailBytes = 896;

/** Maximum bytes of a text among the values: four times that of a name in quotation marks. */
const maxValueBytes = 256;

/**
 * Maximum number of indexes in a dead letter; with more, the dead letter is about all its readings. An item holds at
 * most 400 KB.
 */
export const maxIndexes = 1000;

/**
 * Maximum bytes of the names of stored fields in a dead letter. A reading that does not fit is refused as a whole:
 * a replay could not distinguish its stored fields.
 */
const maxNamesBytes = 16 * 1024;

/** Number of readings of which nothing is stored. */
export function countRefusals(refusals: readonly Refusal[]): number {
  return refusals.reduce((sum, { times = 1, partial }) => sum + (partial ? 0 : times), 0);
}

/** Number of values that are left out of stored readings. */
export function countLeftOut(refusals: readonly Refusal[]): number {
  return refusals.reduce((sum, { partial }) => sum + (partial?.leftOut.count ?? 0), 0);
}

/** The refusals of one message: the first thousand one by one, the others as a number. */
export class RefusalList {
  #named: Refusal[] = [];
  #others: Refusal | undefined;
  /** Readings of a message mostly have the same fields, whose names count once. */
  readonly #fieldLists = new Map<string, readonly string[]>();
  #namesBytes = 0;

  /** @returns false if the dead letter has no room for the names: then the whole reading must be refused */
  addPartial(index: number, leftOut: LeftOutSummary, fields: readonly string[]): boolean {
    const [first] = leftOut.named;
    const storedFields = this.#roomFor(fields);
    if (first === undefined || storedFields === undefined) return false;
    const { reason, detail, detailCode } = first;
    this.#named.push({ reason, detail, detailCode, index, partial: { leftOut, storedFields } });
    return true;
  }

  add(refusal: Refusal): void {
    if (this.#named.length < maxIndexes) this.#named.push(refusal);
    else if (this.#others !== undefined) this.#others.times = (this.#others.times ?? 1) + 1;
    else {
      const { reason, detail, detailCode } = refusal;
      this.#others = { reason, detail, detailCode, times: 1 };
    }
  }

  /** Drops the refusals of single values of readings that are refused as a whole later. */
  dropPartial(indexes: ReadonlySet<number>): void {
    const isWhole = ({ index, partial }: Refusal) =>
      partial === undefined || index === undefined || !indexes.has(index);
    this.#named = this.#named.filter(isWhole);
  }

  #roomFor(fields: readonly string[]): readonly string[] | undefined {
    if (this.#named.length >= maxIndexes) return undefined;
    const key = JSON.stringify(fields);
    const known = this.#fieldLists.get(key);
    if (known !== undefined) return known;
    const bytes = Buffer.byteLength(key);
    if (this.#namesBytes + bytes > maxNamesBytes) return undefined;
    this.#namesBytes += bytes;
    this.#fieldLists.set(key, fields);
    return fields;
  }

  get all(): Refusal[] {
    return this.#others === undefined ? this.#named : [...this.#named, this.#others];
  }
}

/** Refuses all readings for the same reason. @param indexes of the readings */
export function refuseAll(indexes: readonly number[], refusal: Refusal): Refusal[] {
  const refusals = new RefusalList();
  for (const index of indexes) refusals.add({ ...refusal, index });
  return refusals.all;
}

/** Any error of a decoder refuses the message: hostile input must not end the process. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Rejection) return refusalOf(error.code, error.values);
  // The payload may be right.
  if (error instanceof InvariantError) return toInternalRefusal(error);
  return refusalOf('payload-undecodable', { message: messageOf(error) });
}

/** Refuses a message because of an unexpected error: it must be acknowledged all the same. */
export function toInternalRefusal(error: unknown): Refusal {
  return refusalOf('internal-error', { message: messageOf(error) });
}

export function refusalOf(code: RefusalCode, given: RefusalValues = {}): Refusal {
  const detail = shortText(refusalText(code, given), maxDetailBytes);
  const values = shortValues(given);
  return { reason: reasonOfCode(code), detail, detailCode: { code, values } };
}

/** The only place where texts are truncated: an error may quote any part of a payload and end inside a character. */
function shortText(text: string, maxBytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  const cut = read < text.length ? `${text.slice(0, read)}…` : text;
  return cut.toWellFormed();
}

function shortValues(values: RefusalValues): DetailCode['values'] {
  const given = Object.entries(values as Record<string, string | number | undefined>);
  return Object.fromEntries(
    given.flatMap(([name, value]) => {
      if (value === undefined) return [];
      return [[name, typeof value === 'string' ? shortText(value, maxValueBytes) : value]];
    }),
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
