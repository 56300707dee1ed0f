import { Rejection } from './rejection.ts';
import type { DeadLetter, DeadLetterReason } from '@engawa/model';

/** Why a message, or the reading at `index` in it, is not stored. */
export interface Refusal {
  reason: DeadLetterReason;
  detail: string;
  index?: number;
  /** Number of readings that the refusal stands for, if more than one: those after the first thousand. */
  times?: number;
}

/** Outcome of readings that were ingested together. */
export interface IngestResult {
  stored: number;
  /** In the order of the indexes; those without an index are about all readings. */
  refusals: readonly Refusal[];
}

/** Maximum bytes of a detail. A dead letter has a kilobyte for the detail, including its own additions. */
const maxDetailBytes = 896;

/**
 * Maximum number of indexes in a dead letter; with more, the dead letter is about all its readings. An item holds at
 * most 400 KB.
 */
const maxIndexes = 1000;

/** Number of refused readings. */
export function countRefusals(refusals: readonly Refusal[]): number {
  return refusals.reduce((sum, { times = 1 }) => sum + times, 0);
}

/** The refusals of one message: the first thousand one by one, the others as a number. */
export class RefusalList {
  readonly #named: Refusal[] = [];
  #others: Refusal | undefined;

  add(refusal: Refusal): void {
    if (this.#named.length < maxIndexes) this.#named.push(refusal);
    else if (this.#others !== undefined) this.#others.times = (this.#others.times ?? 1) + 1;
    else this.#others = { reason: refusal.reason, detail: refusal.detail, times: 1 };
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
  if (error instanceof Rejection) {
    return { reason: error.reason, detail: shortDetail(error.message) };
  }
  return {
    reason: 'malformed',
    detail: shortDetail(`the payload cannot be decoded: ${messageOf(error)}`),
  };
}

/** Refuses a message because of an unexpected error: it must be acknowledged all the same. */
export function toInternalRefusal(error: unknown): Refusal {
  return {
    reason: 'internal_error',
    detail: shortDetail(`an error in Engawa: ${messageOf(error)}`),
  };
}

/** The reason and the detail of a dead letter. @param refusals at least one */
export function whyRefused(
  refusals: readonly Refusal[],
): Pick<DeadLetter, 'reason' | 'detail' | 'indexes'> {
  const [first] = refusals;
  const more = countRefusals(refusals) - 1;
  const where = first?.index === undefined ? '' : `reading ${first.index}: `;
  const others = more === 0 ? '' : ` (and ${more} more)`;
  const indexes = refusals.flatMap(({ index }) => (index === undefined ? [] : [index]));
  const areNamed = indexes.length === refusals.length && indexes.length <= maxIndexes;
  return {
    reason: first?.reason ?? 'malformed',
    detail: `${where}${shortDetail(first?.detail ?? '')}${others}`,
    ...(areNamed && { indexes }),
  };
}

/** The only place where details are truncated: an error may quote any part of a payload and end inside a character. */
function shortDetail(detail: string): string {
  const { read } = new TextEncoder().encodeInto(detail, new Uint8Array(maxDetailBytes));
  const cut = read < detail.length ? `${detail.slice(0, read)}…` : detail;
  return cut.toWellFormed();
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
