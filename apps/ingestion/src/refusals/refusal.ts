import { Rejection } from './rejection.ts';
import type { DeadLetter, DeadLetterReason } from '@engawa/model';

/** Why a message, or the reading at `index` in it, is not stored. */
export interface Refusal {
  reason: DeadLetterReason;
  detail: string;
  index?: number;
  /** How many readings it stands for, where that is more than one: those behind the first thousand. */
  times?: number;
}

/** What became of readings that were handed in together. */
export interface Verdict {
  stored: number;
  /** In the order of their indexes; those without are about the whole. */
  refusals: readonly Refusal[];
}

/** Bytes of a detail, of the kilobyte that a dead letter has for it: the dead letter says more around it. */
const maxDetailBytes = 896;

/** Of a message with more bad readings than that all are named to be bad: an item holds at most 400 KB. */
const maxIndexes = 1000;

/** How many readings were refused. */
export function countRefusals(refusals: readonly Refusal[]): number {
  return refusals.reduce((sum, { times = 1 }) => sum + times, 0);
}

/** Refusals of the readings of one message: as many as can be named, and the number of the others. */
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

/** A decoder that fails in a way of its own refuses the message too: hostile input must not end the process. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Rejection) {
    return { reason: error.reason, detail: shortDetail(error.message) };
  }
  return {
    reason: 'malformed',
    detail: shortDetail(`the payload cannot be decoded: ${messageOf(error)}`),
  };
}

/** An error that nobody foresaw, which must not keep the message from being acknowledged. */
export function toInternalRefusal(error: unknown): Refusal {
  return {
    reason: 'internal_error',
    detail: shortDetail(`an error in Engawa: ${messageOf(error)}`),
  };
}

/** What a dead letter says of its refusals, of which there is at least one. */
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

/** The only place where details are cut: an error may quote any piece of a payload, and end it inside of a character. */
function shortDetail(detail: string): string {
  const { read } = new TextEncoder().encodeInto(detail, new Uint8Array(maxDetailBytes));
  const cut = read < detail.length ? `${detail.slice(0, read)}…` : detail;
  return cut.toWellFormed();
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
