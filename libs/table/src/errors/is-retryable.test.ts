import { Problem } from '@engawa/errors';
import { translate } from '../client/translate-error.ts';
import { isRetryable } from './is-retryable.ts';
import { ConditionFailed, ItemRejected, KeyThrottled, WriterClosed } from './write-errors.ts';
import type { DynamoErrorKind } from './dynamo-error.ts';

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
  other: [named('SomethingNewException', { $metadata: { httpStatusCode: 400 } }), false],
};

it.each(Object.entries(kinds))('%s', (_, [thrown, expected]) => {
  expect(isRetryable(translate(thrown, true))).toBe(expected);
  // Reads have no condition.
  expect(isRetryable(translate(thrown, false))).toBe(expected);
});

it.each([
  ['a transaction with a failed condition', 'ConditionalCheckFailed', false],
  ['a transaction in conflict with another', 'TransactionConflict', true],
  ['a throttled transaction', 'ThrottlingError', true],
  ['a transaction with an invalid item', 'ValidationError', false],
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
