import type { EntityType } from '@engawa/model';

/**
 * The types as this replica knows them, at most 2 s behind the table: it looks for a change every second, whoever asks. So
 * no question costs a request for its type.
 */
export interface KnownTypes {
  /** @throws Problem `type-not-found` */
  get(name: string): Promise<EntityType>;
  all(): Promise<EntityType[]>;
}
