import type { Entity } from '@engawa/model';
import type { EntityName } from '@engawa/keys';
import type { DeletionIntent } from '../entities/delete/deletion-intent.ts';
import type { WritePlan } from '../entities/write/write-plan.ts';

/** The planned writes of an operation. */
export interface PreparedOperation {
  name: EntityName;
  /** Undefined where neither the entity nor a tombstone exists. */
  before: Entity | undefined;
  /** The entity after the write; undefined where it is deleted. */
  after: Entity | undefined;
  /** Undefined where nothing changes. */
  plan: WritePlan | undefined;
  /** Of a deletion: the intent record of the incoming relations to remove. */
  intent?: DeletionIntent | undefined;
}
