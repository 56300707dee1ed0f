import { cancellation, exceptionAnswer } from './refusal.ts';
import type { DynamoDbResponse } from './refusal.ts';
import type { Charge } from './charge.ts';
import type { ItemAccess } from './operations/operation.ts';
import type { MatchedFault, ThrottleType, ThrottlingExceptionName } from './table-faults.ts';

/** A throttle that affects a part of a request. */
export type MatchedThrottle = MatchedFault<'throttle'>;

/** DynamoDB's exception, with the reason and the ARN of the table or index (API reference, "ThrottlingReason"). */
export function throttlingAnswer({ fault, charge }: MatchedThrottle): DynamoDbResponse {
  const type = fault.type ?? 'KeyRangeThroughputExceeded';
  const exception = fault.exception ?? exceptionOf(type);
  const spelling = exception === 'ThrottlingException' ? 'throttlingReasons' : 'ThrottlingReasons';
  const reasons = charge === undefined ? [] : [reasonOf(charge, type)];
  return exceptionAnswer(
    exception,
    'Throughput exceeds the current capacity of your table or index',
    {
      fields: { [spelling]: reasons },
    },
  );
}

/** For a transaction, DynamoDB reports no throttling reasons, only a code per action. */
export function throttledTransaction(
  parts: readonly ItemAccess[],
  held: ReadonlyMap<ItemAccess, MatchedThrottle>,
): DynamoDbResponse {
  const reasons = parts.map((part) => {
    const met = held.get(part);
    if (met === undefined) return { Code: 'None' };
    const isProvisioned = met.fault.type === 'ProvisionedThroughputExceeded';
    return {
      Code: isProvisioned ? 'ProvisionedThroughputExceeded' : 'ThrottlingError',
      Message: messageOf(met.charge),
    };
  });
  return cancellation(reasons).answer;
}

/** The messages for tables and global secondary indexes (API reference, "TransactionCanceledException"). */
function messageOf(charge: Charge | undefined): string {
  return charge === undefined || charge.target === 'table'
    ? 'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly.'
    : 'Throughput exceeds the current capacity of one or more global secondary indexes. DynamoDB is automatically scaling your index so please try again shortly.';
}

function reasonOf({ table, target, unit }: Charge, type: ThrottleType) {
  const arn = `arn:aws:dynamodb:local:000000000000:table/${table}`;
  const isTable = target === 'table';
  const use = `${isTable ? 'Table' : 'Index'}${unit === 'read' ? 'Read' : 'Write'}`;
  return { reason: `${use}${type}`, resource: isTable ? arn : `${arn}/index/${target}` };
}

function exceptionOf(type: ThrottleType): ThrottlingExceptionName {
  return type === 'ProvisionedThroughputExceeded'
    ? 'ProvisionedThroughputExceededException'
    : 'ThrottlingException';
}
