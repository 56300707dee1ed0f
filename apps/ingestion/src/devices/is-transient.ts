import { Problem } from '@engawa/errors';
import { KeyError } from '@engawa/keys';
import { isRetryable, ItemRejected } from '@engawa/table';

/** Whether DynamoDB throttles the request. */
export function isThrottled(error: unknown): boolean {
  return error instanceof Problem && error.code === 'table-throttled';
}

/** Whether the same request may succeed later. It may not if the table rejects it, or if it cannot be built. */
export function isTransient(error: unknown): boolean {
  if (error instanceof Problem) return isRetryable(error);
  const permanent = [ItemRejected, KeyError, TypeError, RangeError];
  return !permanent.some((type) => error instanceof type);
}
