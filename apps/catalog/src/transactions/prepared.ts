import type { Entity } from '@engawa/model';
import type { EntityName } from '@engawa/keys';
import type { DeletionIntent } from '../entities/delete/deletion-intent.ts';
import type { WritePlan } from '../entities/write/write-plan.ts';

/** What a step is going to write, from the entity as it was read. */
export interface Prepared {
  name: EntityName;
  /** Undefined where it was not there, nor a tombstone. */
  before: Entity | undefined;
  /** As it will be; undefined where it is deleted. */
  after: Entity | undefined;
  /** Undefined where it stays as it is. */
  plan: WritePlan | undefined;
  /** Of a deletion: the intent record of the incoming relations to remove. */
  intent?: DeletionIntent | undefined;
}
