import { Problem } from '@engawa/errors';
import type { EntityType } from '@engawa/model';

/**
 * A cache of all types, at most 2 s behind the table: the replica polls for changes every second. So a request costs no
 * read of its type, unless it names something that the cache does not have.
 */
export interface KnownTypes {
  /** @throws Problem `type-not-found` */
  get(name: string): Promise<EntityType>;
  all(): Promise<EntityType[]>;
  /** Polls for changes after the call, once for all calls within 100 ms. Rejects where the poll fails. */
  refresh(): Promise<void>;
}

/** Notified of changes of types that this replica makes. */
export interface TypesMemory {
  /** Resolves once the cache has the change, or is invalidated. Never rejects. */
  changed(): Promise<void>;
}

export function typeNotFound(name: string): Problem {
  return new Problem('type-not-found', `There is no type ${JSON.stringify(name)}.`);
}
