import { Problem } from '@engawa/errors';
import { unmarshal } from './unmarshal.ts';
import { ConditionFailed, ItemRefused } from './refusals.ts';
import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import type { Document } from '@engawa/model';
import type { Attributes } from './marshal.ts';

/** Why a request failed, as far as callers act differently on it. */
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

/** What the SDK's errors carry; each part of it may be missing. */
interface SdkError {
  name?: string;
  message?: string;
  code?: string;
  $metadata?: { httpStatusCode?: number };
  Item?: Attributes;
  CancellationReasons?: CancellationReason[];
  /** Set by who knows what was sent. */
  refusesCapacity?: boolean;
}

/** Names of errors: API reference of DynamoDB, "Common errors" and each action's list. */
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
  // Not every DynamoDB API has all of its operations.
  no_such_operation: ['UnknownOperationException'],
  aborted: ['AbortError'],
};

const kinds = new Map(
  Object.entries(errorNames).flatMap(([kind, names]) =>
    names.map((name) => [name, kind as DynamoErrorKind] as const),
  ),
);

/** Of a cancelled transaction's reasons, the one that decides what the caller hears. */
const gravest: readonly DynamoErrorKind[] = [
  'condition_failed',
  'invalid',
  'too_large',
  'throttled',
  'conflict',
];

export function errorKindOf(thrown: unknown): DynamoErrorKind {
  const error = asSdkError(thrown);
  if (error.name === 'TransactionCanceledException') return kindOfCancelled(error);
  // The code first: the SDK names a reset connection a TimeoutError, too.
  const kind = kinds.get(error.code ?? '') ?? kinds.get(error.name ?? '');
  if (kind === 'invalid' && error.refusesCapacity === true) return 'capacity_refused';
  if (kind !== undefined) return kind;
  if (error.name === 'TimeoutError') return 'timeout';
  const status = error.$metadata?.httpStatusCode ?? 0;
  if (status === 429) return 'throttled';
  // An answer that is no JSON comes from something that stands between us and DynamoDB.
  if (status >= 500 || thrown instanceof SyntaxError) return 'server_error';
  return status === 0 && error.code !== undefined ? 'unreachable' : 'other';
}

function kindOfCancelled({ CancellationReasons = [] }: SdkError): DynamoErrorKind {
  const reasons = new Set(CancellationReasons.map(({ Code = '' }) => kinds.get(Code)));
  return gravest.find((kind) => reasons.has(kind)) ?? 'other';
}

function asSdkError(thrown: unknown): SdkError {
  return typeof thrown === 'object' && thrown !== null ? thrown : {};
}

/** A word or two on why nobody answered, for a sentence. */
export function reasonOf(thrown: unknown): string {
  const { code, name, $metadata } = asSdkError(thrown);
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'connection reset';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'no such host';
  if (errorKindOf(thrown) === 'timeout') return 'no answer in time';
  if ($metadata?.httpStatusCode !== undefined) return `it answers ${$metadata.httpStatusCode}`;
  return code ?? name ?? 'unknown';
}

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
        ? new ItemRefused('too_large', 'the item is larger than 400 KB', thrown)
        : new ItemRefused('invalid', 'DynamoDB does not accept the item', thrown);
    case 'too_large':
      return new ItemRefused('too_large', 'the item does not fit its collection', thrown);
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
  return CancellationReasons?.flatMap(({ Code = '' }, index) =>
    kinds.get(Code) === 'condition_failed' ? [index] : [],
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
