import { UnfitNumber } from '@engawa/model';
import { checkFieldName } from '../../refusals/field-name.ts';
import { Rejection } from '../../refusals/rejection.ts';
import type { Draft } from '../decoder.ts';

/** One value of a message. */
export interface Value {
  /** Position in the message; unique. */
  position: number;
  /** Epoch milliseconds. */
  time: number | undefined;
  /** The value was measured earlier. */
  isHistorical: boolean;
  /** Name or alias in the message: equal texts are the same metric. */
  reference: string;
}

interface Group extends Pick<Value, 'time' | 'isHistorical'> {
  index: number;
  fields: Map<string, unknown>;
}

/**
 * The values of a message, grouped by their time; a second value of a metric at the same time is another reading. An
 * invalid value is a draft of its own, so that it is refused alone.
 *
 * A dead letter names drafts by their indexes, which must mean the same at a replay, when other births may be known. So
 * indexes and groups depend only on the message: a group has the first position of its values; a value that is alone
 * has its position plus the number of all positions.
 */
export class Groups {
  readonly #positions: number;
  readonly #alone: ReadonlySet<number>;
  readonly #groups = new Map<string, Group>();
  readonly #occurrences = new Map<string, number>();
  readonly #drafts: Draft[] = [];

  /** @param alone indexes of drafts that were refused before: these values are alone again */
  constructor(positions: number, alone: readonly number[] = []) {
    this.#positions = positions;
    this.#alone = new Set(alone);
  }

  add(value: Value, name: string, content: unknown): void {
    const group = this.#groupOf(value);
    const rejection = rejectionOf(name, content);
    if (rejection !== undefined) this.#single(value, group, name, rejection);
    else if (this.#alone.has(this.#indexOf(value)) || group.fields.has(name)) {
      this.#single(value, group, name, content);
    } else group.fields.set(name, content);
  }

  refuse(value: Value, rejection: Rejection): void {
    this.#single(value, this.#groupOf(value), '', rejection);
  }

  drafts(): Draft[] {
    const groups = Array.from(this.#groups.values().filter(({ fields }) => fields.size > 0));
    const gathered = groups.map(({ fields, index, ...group }) =>
      draftOf(group, { index, fields: Object.fromEntries(fields) }),
    );
    return [...gathered, ...this.#drafts];
  }

  #single(value: Value, { index: within }: Group, name: string, content: unknown): void {
    const index = this.#indexOf(value);
    const rejection = content instanceof Rejection ? content : undefined;
    const fields = rejection === undefined ? { [name]: content } : {};
    this.#drafts.push(draftOf(value, { index, within, fields, ...(rejection && { rejection }) }));
  }

  #indexOf({ position }: Value): number {
    return this.#positions + position;
  }

  #groupOf({ position, time, isHistorical, reference }: Value): Group {
    const moment = `${time} ${isHistorical}`;
    const occurrence = this.#occurrences.get(`${moment} ${reference}`) ?? 0;
    this.#occurrences.set(`${moment} ${reference}`, occurrence + 1);
    const key = `${moment} ${occurrence}`;
    const group = this.#groups.get(key) ?? {
      index: position,
      time,
      isHistorical,
      fields: new Map(),
    };
    this.#groups.set(key, group);
    return group;
  }
}

function draftOf(
  { time, isHistorical }: Pick<Value, 'time' | 'isHistorical'>,
  draft: Omit<Draft, 'time' | 'isHistorical'>,
): Draft {
  // A date, because a number could be seconds or milliseconds.
  const at = time === undefined ? undefined : new Date(time);
  return { ...draft, time: at, ...(isHistorical && { isHistorical }) };
}

/** The refusal of a reading with this field, if any. */
function rejectionOf(name: string, content: unknown): Rejection | undefined {
  try {
    checkFieldName(name);
  } catch (error) {
    if (error instanceof Rejection) return error;
    throw error;
  }
  if (!(content instanceof UnfitNumber)) return undefined;
  return new Rejection('number-unfit', { field: quote(name), message: content.reason });
}

/** Truncates the name of a metric, which may be as long as a message. */
export function quote(name: string): string {
  return JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name).toWellFormed();
}
