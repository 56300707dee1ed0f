import { reasonOfCode, refusalText } from './refusal-texts.ts';
import { Rejection } from './rejection.ts';
import type { DeadLetter, DeadLetterReason, DetailCode } from '@engawa/model';
import type { RefusalCode, RefusalValues } from './refusal-texts.ts';

/** Why a message, or the reading at `index` in it, is not stored. */
export interface Refusal {
  reason: DeadLetterReason;
  /** The text of `detailCode`, in English. */
  detail: string;
  detailCode: DetailCode & { code: RefusalCode };
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

/** Maximum bytes of a text among the values: four times that of a name in quotation marks. */
const maxValueBytes = 256;

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
    else {
      const { reason, detail, detailCode } = refusal;
      this.#others = { reason, detail, detailCode, times: 1 };
    }
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
  return error instanceof Rejection
    ? refusalOf(error.code, error.values)
    : refusalOf('payload-undecodable', { message: messageOf(error) });
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

/** The reason and the detail of a dead letter. @param refusals at least one */
export function whyRefused(
  refusals: readonly Refusal[],
): Pick<Refusal, 'reason' | 'detail' | 'detailCode'> & Pick<DeadLetter, 'indexes'> {
  const [first = refusalOf('payload-undecodable')] = refusals;
  const more = countRefusals(refusals) - 1;
  const where = first.index === undefined ? '' : `reading ${first.index}: `;
  const others = more === 0 ? '' : ` (and ${more} more)`;
  const indexes = refusals.flatMap(({ index }) => (index === undefined ? [] : [index]));
  const areNamed = indexes.length === refusals.length && indexes.length <= maxIndexes;
  return {
    reason: first.reason,
    detail: `${where}${first.detail}${others}`,
    detailCode: {
      code: first.detailCode.code,
      values: {
        ...first.detailCode.values,
        ...(first.index !== undefined && { index: first.index }),
        ...(more > 0 && { more }),
      },
    },
    ...(areNamed && { indexes }),
  };
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
