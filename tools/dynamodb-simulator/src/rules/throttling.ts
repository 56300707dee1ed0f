import { cancellation, exceptionAnswer } from './exceptions.ts';
import type { DynamoDbResponse } from './exceptions.ts';
import type { Charge } from './charge.ts';

/** Limits that cause throttling (API reference, "ThrottlingReason"). */
export const limitTypes = [
  'ProvisionedThroughputExceeded',
  'AccountLimitExceeded',
  'KeyRangeThroughputExceeded',
  'MaxOnDemandThroughputExceeded',
] as const;
export type LimitType = (typeof limitTypes)[number];

/** The three exceptions of throttling. ThrottlingException has `throttlingReasons`, the others `ThrottlingReasons`. */
export const throttlingExceptions = [
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
] as const;
export type ThrottlingException = (typeof throttlingExceptions)[number];

/** A throttling decision. */
export interface Throttle {
  type: LimitType;
  /** The charge that exceeds the limit; undefined for a request that takes no capacity. */
  charge: Charge | undefined;
  /** Overrides the exception of the billing mode. */
  exception?: ThrottlingException | undefined;
}

export type Billing = 'provisioned' | 'onDemand';

/** One of DynamoDB's sixteen reasons. */
export function reasonOf({ target, unit }: Charge, type: LimitType): string {
  return `${target === 'table' ? 'Table' : 'Index'}${unit === 'read' ? 'Read' : 'Write'}${type}`;
}

/** DynamoDB's exception, with the reason and the ARN of the table or index (API reference, "ThrottlingReason"). */
export function throttlingAnswer(
  { type, charge, exception }: Throttle,
  billing: Billing = 'onDemand',
): DynamoDbResponse {
  const name = exception ?? exceptionOf(type, billing);
  const spelling = name === 'ThrottlingException' ? 'throttlingReasons' : 'ThrottlingReasons';
  const reasons =
    charge === undefined ? [] : [{ reason: reasonOf(charge, type), resource: charge.arn }];
  const message = 'Throughput exceeds the current capacity of your table or index';
  return exceptionAnswer(name, message, { [spelling]: reasons });
}

/**
 * For a transaction, DynamoDB reports no throttling reasons, only a code per action.
 * @param throttles one per action, in order
 */
export function throttledTransaction(
  throttles: readonly (Throttle | undefined)[],
): DynamoDbResponse {
  const reasons = throttles.map((throttle) =>
    throttle === undefined ? { Code: 'None' } : cancellationReason(throttle),
  );
  return cancellation(reasons).answer;
}

/** Codes and messages of the API reference, "TransactionCanceledException". */
function cancellationReason({ type, charge }: Throttle) {
  const isTable = charge === undefined || charge.target === 'table';
  if (type === 'ProvisionedThroughputExceeded') {
    return {
      Code: type,
      Message: isTable
        ? 'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.'
        : 'The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. Consider increasing your provisioning level for the under-provisioned global secondary indexes with the UpdateTable API.',
    };
  }
  return {
    Code: 'ThrottlingError',
    Message: isTable
      ? 'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly. If exceptions persist, check if you have a hot key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html.'
      : 'Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is automatically scaling your index so please try again shortly.',
  };
}

function exceptionOf(type: LimitType, billing: Billing): ThrottlingException {
  if (type === 'ProvisionedThroughputExceeded') return 'ProvisionedThroughputExceededException';
  if (type === 'MaxOnDemandThroughputExceeded' || billing === 'onDemand') {
    return 'ThrottlingException';
  }
  return type === 'AccountLimitExceeded'
    ? 'RequestLimitExceeded'
    : 'ProvisionedThroughputExceededException';
}
