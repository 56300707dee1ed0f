import { Problem } from '@engawa/errors';
import { KeyThrottled } from './write-errors.ts';
import type { ProblemCode } from '@engawa/errors';

const retryable: ReadonlySet<ProblemCode> = new Set(['table-throttled', 'table-unavailable']);

/**
 * Whether the same request may succeed later, after an error of a Table or a BatchWriter: DynamoDB throttles it, cannot be
 * reached, or does not accept our credentials or the table's name, which an operator can correct. Everything else fails
 * again however often it is sent: ConditionFailed, ItemRejected, a question that DynamoDB does not accept, an operation
 * that the API lacks, an error that it does not know, a request that was aborted, a writer that is closed.
 */
export function isRetryable(error: unknown): boolean {
  if (error instanceof Problem) return retryable.has(error.code);
  return error instanceof KeyThrottled;
}
