import { randomBytes } from 'node:crypto';
import { additionField } from '@engawa/model';
import { absent, anyOf, less } from '@engawa/table';
import { decodeTime, monotonicFactory } from 'ulid';
import type { Entity } from '@engawa/model';
import type { Condition } from '@engawa/table';

/** Milliseconds after which no request of before can still arrive: the SDK has given up long ago. */
const rememberedMs = 10 * 60 * 1000;
/** Marks of other processes that an entity keeps until they are cleared away. */
const maxStaleMarks = 8;

/** Names an addition: the process that makes it, and its place among those of that process. */
export interface AdditionMark {
  by: string;
  /** A ULID, greater than all before it. */
  id: string;
}

/**
 * What makes an addition take place once, also where its answer is lost and the SDK sends it again. The entity keeps the last
 * mark of each process that has added to it, and takes no addition of that process whose mark is not greater: a repetition
 * is refused, whatever others have written in between, and the mark says that it has taken place (docs/adr/0065). A process has
 * one addition to an entity under way at a time.
 */
export class Additions {
  readonly #by = randomBytes(6).toString('base64url');
  readonly #nextId = monotonicFactory();

  next(): AdditionMark {
    return { by: this.#by, id: this.#nextId() };
  }
}

/** The attribute of the entity's item that has a process's mark. */
export function markField({ by }: Pick<AdditionMark, 'by'>): string {
  return additionField + by;
}

export function isNotMade(mark: AdditionMark): Condition {
  const field = markField(mark);
  return anyOf(absent(field), less(field, mark.id));
}

export function isMade({ additions }: Entity, { by, id }: AdditionMark): boolean {
  return additions?.get(by) === id;
}

/** Without the marks that nobody needs any more. */
export function recentAdditions(additions: Entity['additions'], now: number): Map<string, string> {
  const recent = [...(additions ?? [])].filter(([, id]) => decodeTime(id) > now - rememberedMs);
  return new Map(recent);
}

/** The marks to be cleared away: none before there are many, since it takes a request. */
export function staleMarks({ additions }: Entity, now: number): AdditionMark[] {
  const recent = recentAdditions(additions, now);
  const stale = [...(additions ?? [])].filter(([by]) => !recent.has(by));
  return stale.length > maxStaleMarks ? stale.map(([by, id]) => ({ by, id })) : [];
}
