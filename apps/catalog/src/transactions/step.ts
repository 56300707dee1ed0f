import type { ExpectedState, Revision } from '@engawa/http';
import type { EntityName } from '@engawa/keys';
import type { Changes } from '../entities/content/check-changes.ts';
import type { AttributeCondition } from '../entities/content/conditions.ts';
import type { Content } from '../entities/content/content.ts';

/** What a transaction does with one entity. */
export type Step = {
  name: EntityName;
  /** That of the type by which the step was checked. */
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

/** Of one transaction. Their rows are more: all together `maxTransactionWrites`. */
export const maxSteps = 50;
