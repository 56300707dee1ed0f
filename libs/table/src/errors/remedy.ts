import type { DynamoErrorKind } from './error-kind.ts';

/**
 * What to do about a failed request:
 * - `none`: the same request fails again;
 * - `again`: the next attempt may succeed;
 * - `later`: it may succeed once an operator, or DynamoDB, has changed something.
 */
type Remedy = 'none' | 'again' | 'later';

/** The one classification of errors, for reads, writes, starts and background work. */
const remedies: Readonly<Record<DynamoErrorKind, Remedy>> = {
  condition_failed: 'none',
  conflict: 'again',
  throttled: 'again',
  invalid: 'none',
  too_large: 'none',
  denied: 'later',
  credentials: 'later',
  table_missing: 'later',
  index_missing: 'later',
  timeout: 'again',
  unreachable: 'again',
  server_error: 'again',
  no_such_operation: 'none',
  capacity_refused: 'later',
  aborted: 'none',
  unknown: 'again',
  other: 'none',
};

/** Whether the next attempt may succeed, so that the request is worth another attempt at once. */
export function isWorthRetry(kind: DynamoErrorKind): boolean {
  return remedies[kind] === 'again';
}

/** Whether the same request may succeed at some time. */
export function isTemporary(kind: DynamoErrorKind): boolean {
  return remedies[kind] !== 'none';
}

/** Whether the content of a request may be the cause of its failure; IAM conditions can deny single partition keys. */
export function mayConcernContent(kind: DynamoErrorKind): boolean {
  return kind === 'denied' || kind === 'unknown' || !isTemporary(kind);
}
