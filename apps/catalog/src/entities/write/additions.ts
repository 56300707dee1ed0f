import { randomBytes } from 'node:crypto';
import { additionField } from '@engawa/model';
import { absent, anyOf, less } from '@engawa/table';
import { decodeTime, monotonicFactory } from 'ulid';
import type { Entity } from '@engawa/model';
import type { Condition } from '@engawa/table';

/** After this time no earlier request can arrive: the SDK stopped retrying long before. */
const markLifetimeMs = 10 * 60 * 1000;
/** Outdated marks of other processes that an entity may have before they are deleted. */
const maxStaleMarks = 8;

/** Identifies an addition: its process, and its order within that process. */
export interface AdditionMark {
  by: string;
  /** A ULID, greater than all before it. */
  id: string;
}

/**
 * Makes additions idempotent, since the SDK retries a request whose response is lost. The entity keeps the last mark of
 * each process that added to it, and rejects an addition of that process whose mark is not greater: a retry fails its
 * condition despite concurrent writes, and the mark shows that it was applied (docs/adr/0065). A process makes
 * one addition to an entity at a time.
 */
export class Additions {
  readonly #by = randomBytes(6).toString('base64url');
  readonly #nextId = monotonicFactory();

  next(): AdditionMark {
    return { by: this.#by, id: this.#nextId() };
  }
}

/** The attribute of the entity's item with the mark of a process. */
export function markField({ by }: Pick<AdditionMark, 'by'>): string {
  return additionField + by;
}

export function isNotApplied(mark: AdditionMark): Condition {
  const field = markField(mark);
  return anyOf(absent(field), less(field, mark.id));
}

export function isApplied({ additions }: Entity, { by, id }: AdditionMark): boolean {
  return additions?.get(by) === id;
}

/** Without marks too old to matter. */
export function recentAdditions(additions: Entity['additions'], now: number): Map<string, string> {
  const recent = [...(additions ?? [])].filter(([, id]) => decodeTime(id) > now - markLifetimeMs);
  return new Map(recent);
}

/** The outdated marks to delete: none before there are many, since deleting takes a request. */
export function staleMarks({ additions }: Entity, now: number): AdditionMark[] {
  const recent = recentAdditions(additions, now);
  const stale = [...(additions ?? [])].filter(([by]) => !recent.has(by));
  return stale.length > maxStaleMarks ? stale.map(([by, id]) => ({ by, id })) : [];
}
