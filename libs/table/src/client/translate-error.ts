import { Problem } from '@engawa/errors';
import { asSdkError, errorKindOf, kindOfName } from '../errors/dynamo-error.ts';
import { ConditionFailed, ItemRejected } from '../errors/write-errors.ts';
import { unmarshal } from '../items/unmarshal.ts';
import type { Document } from '@engawa/model';
import type { SdkError } from '../errors/dynamo-error.ts';

/** Turns what the SDK throws into what our callers handle; AWS's own words stay in `cause`. */
export function translate(thrown: unknown, isWrite: boolean): unknown {
  const more = { cause: thrown };
  switch (errorKindOf(thrown)) {
    case 'condition_failed':
      return new ConditionFailed({
        ...more,
        items: currentItems(asSdkError(thrown)),
        failed: failedConditions(asSdkError(thrown)),
      });
    case 'throttled':
      return new Problem('table-throttled', 'DynamoDB takes fewer requests than are made.', more);
    case 'conflict':
      return new Problem('table-throttled', 'Another write to the same item is under way.', more);
    case 'invalid':
      if (!isWrite) return new Problem('internal', 'DynamoDB does not accept the question.', more);
      return isTooLarge(thrown)
        ? new ItemRejected('too_large', 'the item is larger than 400 KB', thrown)
        : new ItemRejected('invalid', 'DynamoDB does not accept the item', thrown);
    case 'too_large':
      return new ItemRejected('too_large', 'the item does not fit its collection', thrown);
    case 'no_such_operation':
      // Of all that is asked for, no API lacks anything else.
      return new Problem('not-supported-by-table', hasNoTransactions, more);
    case 'aborted':
    case 'other':
      return thrown;
    default:
      return new Problem('table-unavailable', 'The table does not answer as it should.', more);
  }
}

const hasNoTransactions =
  'This takes a transaction, and the DynamoDB API that holds the table has none.';

/** DynamoDB has no code for this, only words. */
function isTooLarge(thrown: unknown): boolean {
  return /size.*exceeded/i.test(asSdkError(thrown).message ?? '');
}

function failedConditions({ CancellationReasons }: SdkError): number[] | undefined {
  return CancellationReasons?.flatMap(({ Code }, index) =>
    kindOfName(Code) === 'condition_failed' ? [index] : [],
  );
}

function currentItems({ Item, CancellationReasons }: SdkError): Map<number, Document> {
  const reasons = CancellationReasons ?? [{ ...(Item !== undefined && { Item }) }];
  return new Map(
    reasons.flatMap((reason, index) => {
      return reason.Item === undefined ? [] : [[index, unmarshal(reason.Item)] as const];
    }),
  );
}
