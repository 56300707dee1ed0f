import { Problem } from '@engawa/errors';
import { KeyThrottled } from './write-errors.ts';
import type { ProblemCode } from '@engawa/errors';

const retryable: ReadonlySet<ProblemCode> = new Set([
  'table-throttled',
  'table-unavailable',
  'too-many-conflicts',
]);

/**
 * Whether a request that failed with this error of a Table or a BatchWriter may succeed later:
 * DynamoDB throttles it, cannot be reached, or rejects the credentials or the table's name, which
 * an operator can correct; or other clients wrote the same item during each attempt. Every other
 * error is final: ConditionFailed, ItemRejected, an invalid read, an operation that the API lacks,
 * an unknown error, an aborted request, a closed writer.
 */
export function isRetryable(error: unknown): boolean {
  if (error instanceof Problem) return retryable.has(error.code);
  return error instanceof KeyThrottled;
}
