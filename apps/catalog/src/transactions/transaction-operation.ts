import type { ExpectedState, Revision } from '@engawa/http';
import type { EntityName } from '@engawa/keys';
import type { Changes } from '../entities/content/check-changes.ts';
import type { AttributeCondition } from '../entities/content/conditions.ts';
import type { Content } from '../entities/content/content.ts';

/** An operation of a transaction on one entity. */
export type TransactionOperation = {
  name: EntityName;
  /** Layout of the type that the operation was validated against. */
  layout?: number | undefined;
} & (
  | { kind: 'put'; content: Content; expected: ExpectedState<Revision> }
  | { kind: 'patch'; changes: Changes; revision: Revision | undefined; upsert: boolean }
  | {
      kind: 'delete';
      detach: boolean;
      conditions: readonly AttributeCondition[];
      revision: Revision | undefined;
    }
  | {
      kind: 'check';
      conditions: readonly AttributeCondition[];
      revision: Revision | undefined;
    }
);

/** Operations of one transaction. With their rows, all writes together are at most `maxTransactionWrites`. */
export const maxOperations = 50;
