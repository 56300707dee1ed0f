import { Problem } from '@engawa/errors';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import { translate } from '../client/translate-error.ts';
import { isTemporary } from './remedy.ts';
import { isRetryable } from './is-retryable.ts';
import { ConditionFailed, ItemRejected, KeyThrottled, WriterClosed } from './write-errors.ts';
import type { DynamoErrorKind } from './error-kind.ts';

const named = (name: string, more: object = {}) =>
  Object.assign(new Error(name), { name, ...more });

/** An error of each kind, as the SDK throws it, and whether the request is retryable. */
const kinds: Readonly<Record<DynamoErrorKind, readonly [thrown: Error, isRetryable: boolean]>> = {
  condition_failed: [named('ConditionalCheckFailedException'), false],
  conflict: [named('TransactionConflictException'), true],
  throttled: [named('ThrottlingException'), true],
  invalid: [named('ValidationException'), false],
  too_large: [named('ItemCollectionSizeLimitExceededException'), false],
  denied: [named('AccessDeniedException'), true],
  credentials: [named('ExpiredTokenException'), true],
  table_missing: [named('ResourceNotFoundException'), true],
  timeout: [named('TimeoutError', { code: 'ETIMEDOUT' }), true],
  unreachable: [named('Error', { code: 'ECONNREFUSED' }), true],
  server_error: [named('InternalServerError'), true],
  no_such_operation: [named('UnknownOperationException'), false],
  capacity_refused: [named('ValidationException', { refusesCapacity: true }), true],
  aborted: [named('AbortError'), false],
  index_missing: [
    named('ValidationException', {
      message: 'The table does not have the specified index: gsi2',
    }),
    true,
  ],
  unknown: [named('SomethingNewException', { $metadata: { httpStatusCode: 400 } }), true],
  other: [new TypeError('a defect'), false],
};

it.each(Object.entries(kinds))('%s', (kind, [thrown, expected]) => {
  expect(isRetryable(translate(thrown, true))).toBe(expected);
  expect(isTemporary(kind as DynamoErrorKind)).toBe(expected);
  // A read is never too large itself.
  if (kind !== 'too_large') expect(isRetryable(translate(thrown, false))).toBe(expected);
});

const status = (httpStatusCode: number) => named('Error', { $metadata: { httpStatusCode } });

it.each([400, 403, 404, 405, 408, 418, 429, 500, 502, 503, 504, 529])(
  'retries a response without a known name: %i',
  (code) => {
    expect(isRetryable(translate(status(code), true))).toBe(true);
    expect(isRetryable(translate(status(code), false))).toBe(true);
  },
);

it('rejects a write that is too large for a proxy, and not a read', () => {
  expect(translate(status(413), true)).toMatchObject({ name: 'ItemRejected', reason: 'too_large' });
  expect(isRetryable(translate(status(413), false))).toBe(true);
});

/** The SDK's lists: @smithy/core, submodules/retry. */
const retriedBySdk = [
  'BandwidthLimitExceeded',
  'EC2ThrottledException',
  'LimitExceededException',
  'PriorRequestNotComplete',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'RequestTimeout',
  'RequestTimeoutException',
  'SlowDown',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TimeoutError',
  'TooManyRequestsException',
  'TransactionInProgressException',
];

it.each(retriedBySdk)('retries what the SDK retries: %s', (name) => {
  const error = named(name) as Error & { name: string; $metadata: object };
  expect(isThrottlingError(error as never) || isTransientError(error as never)).toBe(true);
  expect(isRetryable(translate(error, true))).toBe(true);
});

it('retries an error that the model of DynamoDB calls retryable', () => {
  const throttling = { $retryable: { throttling: true } };
  expect(isRetryable(translate(named('BusyException', throttling), true))).toBe(true);
  expect(isRetryable(translate(named('ReplicatedWriteConflictException'), true))).toBe(true);
});

it.each([
  ['a transaction with a failed condition', 'ConditionalCheckFailed', false],
  ['a transaction in conflict with another', 'TransactionConflict', true],
  ['a throttled transaction', 'ThrottlingError', true],
  ['a transaction with an invalid item', 'ValidationError', false],
  ['a transaction with an unknown reason', 'SomethingNew', true],
])('%s', (_, Code, expected) => {
  const thrown = named('TransactionCanceledException', {
    CancellationReasons: [{ Code: 'None' }, { Code }],
  });
  expect(isRetryable(translate(thrown, true))).toBe(expected);
});

it.each([
  [new Problem('too-many-conflicts', 'Other clients were first.'), true],
  [new Problem('version-mismatch', 'It has version 2 now.'), false],
  [new KeyThrottled('pk'), true],
  [new ItemRejected('invalid', 'no'), false],
  [new ConditionFailed(), false],
  [new WriterClosed(), false],
  [new TypeError('a programming error'), false],
  ['a value that is not an error', false],
  [undefined, false],
])('%p', (error, expected) => {
  expect(isRetryable(error)).toBe(expected);
});

it('does not call a write lost whose earlier attempt DynamoDB is still processing', () => {
  const codeOf = (name: string) => (translate(named(name), true) as Problem).code;
  expect(codeOf('TransactionInProgressException')).toBe('table-throttled');
  expect(codeOf('TransactionConflictException')).toBe('too-many-conflicts');
});
