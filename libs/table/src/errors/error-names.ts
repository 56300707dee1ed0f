import type { DynamoErrorKind } from './error-kind.ts';

/** Kinds that are not recognized by a name. */
type UnnamedKind = 'capacity_refused' | 'index_missing' | 'unknown' | 'other';

/**
 * Error names and codes by kind: DynamoDB's (API reference, "Common Errors" and the errors of each operation), the
 * SDK's lists of throttling and transient errors (@smithy/core, retry), and Node's codes.
 */
const errorNames: Readonly<Record<Exclude<DynamoErrorKind, UnnamedKind>, readonly string[]>> = {
  condition_failed: ['ConditionalCheckFailedException', 'ConditionalCheckFailed'],
  conflict: [
    'ReplicatedWriteConflictException',
    'TransactionConflict',
    'TransactionConflictException',
    'TransactionInProgressException',
  ],
  throttled: [
    'BandwidthLimitExceeded',
    'EC2ThrottledException',
    'LimitExceededException',
    'PriorRequestNotComplete',
    'ProvisionedThroughputExceeded',
    'ProvisionedThroughputExceededException',
    'RequestLimitExceeded',
    'RequestThrottled',
    'RequestThrottledException',
    'SlowDown',
    'ThrottledException',
    'Throttling',
    'ThrottlingError',
    'ThrottlingException',
    'TooManyRequestsException',
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
  timeout: ['ETIMEDOUT', 'RequestTimeout', 'RequestTimeoutException'],
  unreachable: [
    'EAI_AGAIN',
    'ECONNREFUSED',
    'ECONNRESET',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOTFOUND',
    'EPIPE',
  ],
  server_error: [
    'InternalServerError',
    'InternalServerErrorException',
    'MalformedResponse',
    'ServiceUnavailable',
  ],
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
