import type { AttributeValue, CancellationReason } from '@aws-sdk/client-dynamodb';

/** The kind of a request's failure; callers handle each kind differently. */
export type DynamoErrorKind =
  | 'condition_failed'
  | 'conflict'
  | 'throttled'
  | 'invalid'
  | 'too_large'
  | 'denied'
  | 'credentials'
  | 'table_missing'
  | 'timeout'
  | 'unreachable'
  | 'server_error'
  | 'no_such_operation'
  | 'capacity_refused'
  | 'aborted'
  | 'other';

/** Properties of the SDK's errors; each may be absent. */
export interface SdkError {
  name?: string;
  message?: string;
  code?: string;
  $metadata?: { httpStatusCode?: number };
  Item?: Record<string, AttributeValue>;
  CancellationReasons?: CancellationReason[];
  /** Set by observeAttempts, which has access to the request. */
  refusesCapacity?: boolean;
}

/** Error names by kind (API reference, "Common Errors" and the errors of each operation). */
const errorNames: Readonly<
  Record<Exclude<DynamoErrorKind, 'capacity_refused' | 'other'>, readonly string[]>
> = {
  condition_failed: ['ConditionalCheckFailedException', 'ConditionalCheckFailed'],
  conflict: [
    'TransactionConflictException',
    'TransactionInProgressException',
    'TransactionConflict',
  ],
  throttled: [
    'ProvisionedThroughputExceededException',
    'RequestLimitExceeded',
    'ThrottlingException',
    'Throttling',
    'ThrottlingError',
    'ProvisionedThroughputExceeded',
  ],
  invalid: ['ValidationException', 'SerializationException', 'ValidationError'],
  too_large: ['ItemCollectionSizeLimitExceededException', 'ItemCollectionSizeLimitExceeded'],
  denied: ['AccessDeniedException'],
  credentials: [
    'CredentialsProviderError',
    'ExpiredToken',
    'ExpiredTokenException',
    'IncompleteSignatureException',
    'InvalidClientTokenId',
    'InvalidSignatureException',
    'MissingAuthenticationTokenException',
    'RequestExpired',
    'SignatureDoesNotMatch',
    'TokenProviderError',
    'UnrecognizedClientException',
  ],
  table_missing: ['ResourceNotFoundException'],
  timeout: ['ETIMEDOUT'],
  unreachable: ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'],
  server_error: ['InternalServerError', 'InternalServerErrorException', 'ServiceUnavailable'],
  // Other DynamoDB APIs may lack operations.
  no_such_operation: ['UnknownOperationException'],
  aborted: ['AbortError'],
};

const kindsByName = new Map(
  Object.entries(errorNames).flatMap(([kind, names]) =>
    names.map((name) => [name, kind as DynamoErrorKind] as const),
  ),
);

/** The kind of an error's name or code, or of a cancellation reason's code. */
export function kindOfName(name = ''): DynamoErrorKind | undefined {
  return kindsByName.get(name);
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
  if (kind === 'invalid' && error.refusesCapacity === true) return 'capacity_refused';
  if (kind !== undefined) return kind;
  if (error.name === 'TimeoutError') return 'timeout';
  const status = error.$metadata?.httpStatusCode ?? 0;
  if (status === 429) return 'throttled';
  // A response that is not JSON comes from a proxy between the process and DynamoDB.
  if (status >= 500 || thrown instanceof SyntaxError) return 'server_error';
  return status === 0 && error.code !== undefined ? 'unreachable' : 'other';
}

function kindOfCancelled({ CancellationReasons = [] }: SdkError): DynamoErrorKind {
  const reasons = new Set(CancellationReasons.map(({ Code }) => kindOfName(Code)));
  return bySeverity.find((kind) => reasons.has(kind)) ?? 'other';
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
  if ($metadata?.httpStatusCode !== undefined)
    return `it responds with ${$metadata.httpStatusCode}`;
  return code ?? name ?? 'unknown';
}
