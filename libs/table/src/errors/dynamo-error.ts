import { kindOfName } from './error-names.ts';
import type { AttributeValue, CancellationReason } from '@aws-sdk/client-dynamodb';
import type { DynamoErrorKind } from './error-kind.ts';

/** Properties of the SDK's errors; each may be absent. */
export interface SdkError {
  name?: string;
  message?: string;
  code?: string;
  $metadata?: { httpStatusCode?: number };
  /** Set by the SDK for errors that its model of DynamoDB calls retryable. */
  $retryable?: { throttling?: boolean };
  Item?: Record<string, AttributeValue>;
  CancellationReasons?: CancellationReason[];
  /** Set by observeAttempts, which has access to the request. */
  refusesCapacity?: boolean;
}

/** Cancellation reasons of a transaction, the decisive one first. */
const bySeverity: readonly DynamoErrorKind[] = [
  'condition_failed',
  'invalid',
  'too_large',
  'throttled',
  'conflict',
];

export function errorKindOf(thrown: unknown): DynamoErrorKind {
  const error = asSdkError(thrown);
  if (error.name === 'TransactionCanceledException') return kindOfCancelled(error);
  // The code has precedence: the SDK names a reset connection TimeoutError as well.
  const kind = kindOfName(error.code) ?? kindOfName(error.name);
  if (kind === 'invalid') return kindOfInvalid(error);
  if (kind !== undefined) return kind;
  if (error.name === 'TimeoutError') return 'timeout';
  if (error.$retryable?.throttling === true) return 'throttled';
  const status = error.$metadata?.httpStatusCode ?? 0;
  if (status > 0) return kindOfStatus(status);
  // A response that is not JSON comes from a proxy between the process and DynamoDB.
  if (thrown instanceof SyntaxError) return 'server_error';
  return error.code === undefined ? 'other' : 'unreachable';
}

function kindOfInvalid({ message = '', refusesCapacity }: SdkError): DynamoErrorKind {
  if (refusesCapacity === true) return 'capacity_refused';
  return missingIndex.test(message) ? 'index_missing' : 'invalid';
}

/**
 * DynamoDB reports an index that is absent, or still being filled, without an error name of its own. (AWS documents
 * neither text; DynamoDB Local and the embedded engine have the same.)
 */
const missingIndex =
  /^(?:The table does not have the specified index|Cannot read from backfilling global secondary index)(?:: ([\w.-]{3,255}))?/i;

/** The name of the index in an error of the kind `index_missing`. */
export function missingIndexOf(thrown: unknown): string {
  return missingIndex.exec(asSdkError(thrown).message ?? '')?.[1] ?? '';
}

/** The kind of a response without a known name: it may come from a proxy in front of DynamoDB. */
function kindOfStatus(status: number): DynamoErrorKind {
  if (status === 408) return 'timeout';
  if (status === 413) return 'too_large';
  if (status === 429) return 'throttled';
  return status >= 500 ? 'server_error' : 'unknown';
}

function kindOfCancelled({ CancellationReasons = [] }: SdkError): DynamoErrorKind {
  const reasons = new Set(CancellationReasons.map(({ Code }) => kindOfName(Code)));
  return bySeverity.find((kind) => reasons.has(kind)) ?? 'unknown';
}

/** Whether DynamoDB rejects the credentials of a request, rather than that none were found. */
export function isRejectedKey(thrown: unknown): boolean {
  const status = asSdkError(thrown).$metadata?.httpStatusCode;
  return status !== undefined && errorKindOf(thrown) === 'credentials';
}

export function asSdkError(thrown: unknown): SdkError {
  return typeof thrown === 'object' && thrown !== null ? thrown : {};
}

/** The reason why the table is unreachable, as a phrase for the end of a sentence. */
export function reasonOf(thrown: unknown): string {
  const { code, name, $metadata } = asSdkError(thrown);
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'connection reset';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'no such host';
  if (errorKindOf(thrown) === 'timeout') return 'no response in time';
  if (name === 'MalformedResponse') return 'its responses are not those of DynamoDB';
  if ($metadata?.httpStatusCode !== undefined)
    return `it responds with ${$metadata.httpStatusCode}`;
  return code ?? name ?? 'unknown';
}
