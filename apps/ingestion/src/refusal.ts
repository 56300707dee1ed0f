import { Rejection } from './rejection.ts';
import type { DeadLetter, DeadLetterReason } from '@engawa/model';

/** Why a message, or the reading at `index` in it, is not stored. */
export interface Refusal {
  reason: DeadLetterReason;
  detail: string;
  index?: number;
}

/** What became of readings that were handed in together. */
export interface Verdict {
  stored: number;
  /** In the order of their indexes; those without are about the whole. */
  refusals: readonly Refusal[];
}

/** Of a message with more bad readings than that all are named to be bad: an item holds at most 400 KB. */
const mostIndexes = 1000;

/** A decoder that fails in a way of its own refuses the message too: hostile input must not end the process. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Rejection) return { reason: error.reason, detail: error.message };
  return {
    reason: 'malformed',
    detail: `the payload cannot be decoded: ${(error as Error).message}`,
  };
}

/** What a dead letter says of its refusals, of which there is at least one. */
export function whyRefused(
  refusals: readonly Refusal[],
): Pick<DeadLetter, 'reason' | 'detail' | 'indexes'> {
  const [first, ...more] = refusals;
  const where = first?.index === undefined ? '' : `reading ${first.index}: `;
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  const indexes = refusals.flatMap(({ index }) => (index === undefined ? [] : [index]));
  const areNamed = indexes.length === refusals.length && indexes.length <= mostIndexes;
  return {
    reason: first?.reason ?? 'malformed',
    // A piece of the payload that an error quotes may end between two halves of a character.
    detail: `${where}${first?.detail ?? ''}${others}`.toWellFormed(),
    ...(areNamed && { indexes }),
  };
}
