import type { ExpectedState, Revision } from '@engawa/http';
import type { EntityName } from '@engawa/keys';
import type { Changes } from '../entities/content/check-changes.ts';
import type { AttributeCondition } from '../entities/content/conditions.ts';
import type { Content } from '../entities/content/content.ts';

/** An operation of a transaction on one entity. */
export type Step = {
  name: EntityName;
  /** Layout of the type that the step was validated against. */
  layout?: number | undefined;
} & (
  | { operation: 'put'; content: Content; expected: ExpectedState<Revision> }
  | { operation: 'patch'; changes: Changes; revision: Revision | undefined }
  | {
      operation: 'delete';
      detach: boolean;
      conditions: readonly AttributeCondition[];
      revision: Revision | undefined;
    }
  | {
      operation: 'check';
      conditions: readonly AttributeCondition[];
      revision: Revision | undefined;
    }
);

/** Operations of one transaction. With their rows, all writes together are at most `maxTransactionWrites`. */
export const maxSteps = 50;
