import { Problem } from '@engawa/errors';
import { asSdkError, errorKindOf } from '../errors/dynamo-error.ts';
import { kindOfName } from '../errors/error-names.ts';
import { ConditionFailed, ItemRejected } from '../errors/write-errors.ts';
import { unmarshal } from '../items/unmarshal.ts';
import type { Document } from '@engawa/model';
import type { SdkError } from '../errors/dynamo-error.ts';

/** Translates an error of the SDK into an error that callers handle; the original is in `cause`. */
export function translate(thrown: unknown, isWrite: boolean): unknown {
  const options = { cause: thrown };
  switch (errorKindOf(thrown)) {
    case 'condition_failed':
      return new ConditionFailed({
        ...options,
        items: currentItems(asSdkError(thrown)),
        failed: failedConditions(asSdkError(thrown)),
      });
    case 'throttled':
      return new Problem('table-throttled', 'DynamoDB is throttling requests.', options);
    case 'conflict':
      return conflictProblem(thrown);
    case 'invalid':
      if (!isWrite) return new Problem('internal', 'DynamoDB rejected the read.', options);
      return isTooLarge(thrown)
        ? new ItemRejected('too_large', 'the item is larger than 400 KB', thrown)
        : new ItemRejected('invalid', 'DynamoDB rejected the item', thrown);
    case 'too_large':
      return isWrite
        ? new ItemRejected('too_large', limitOf(thrown), thrown)
        : unavailable(options);
    case 'no_such_operation':
      // Transactions are the only optional operation of a supported API.
      return new Problem('not-supported-by-table', hasNoTransactions, options);
    case 'aborted':
    case 'other':
      return thrown;
    // Also an unknown error: it is not known to be final, so the request may be sent again.
    default:
      return unavailable(options);
  }
}

function unavailable(options: ErrorOptions): Problem {
  return new Problem('table-unavailable', 'The table is unavailable.', options);
}

function limitOf(thrown: unknown): string {
  return asSdkError(thrown).$metadata?.httpStatusCode === 413
    ? 'the DynamoDB API, or a proxy in front of it, refuses a request of this size (413)'
    : 'the item collection would exceed its maximum size';
}

/** `writing` has sent the request again until its attempts were used up. */
function conflictProblem(cause: unknown): Problem {
  // The response to an earlier attempt was lost, and that attempt may yet take effect.
  if (asSdkError(cause).name === 'TransactionInProgressException') {
    const detail = 'DynamoDB is still processing an earlier attempt of the request.';
    return new Problem('table-throttled', detail, { cause });
  }
  const detail = 'Other transactions wrote the same item during each attempt of this request.';
  return new Problem('too-many-conflicts', detail, { cause });
}

const hasNoTransactions =
  'The request needs a transaction, which the DynamoDB API of this deployment does not support.';

/** DynamoDB reports this without an error code, only with a message. */
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
