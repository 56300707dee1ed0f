import { Problem } from '@engawa/errors';
import type { EntityType } from '@engawa/model';

/**
 * The types as this replica knows them, at most 2 s behind the table: it looks for a change every second, whoever asks. So
 * no question costs a request for its type, unless it is about something that is not known here.
 */
export interface KnownTypes {
  /** @throws Problem `type-not-found` */
  get(name: string): Promise<EntityType>;
  all(): Promise<EntityType[]>;
  /** A look for changes that begins after the call: one for all who ask within a tenth of a second. Rejects where it fails. */
  refresh(): Promise<void>;
}

/** What has to hear of a change of a type that this replica made. */
export interface TypesMemory {
  /** Resolves once the change is known here, or has to be looked for by the next who asks. Never rejects. */
  changed(): Promise<void>;
}

export function typeNotFound(name: string): Problem {
  return new Problem('type-not-found', `There is no type ${JSON.stringify(name)}.`);
}
