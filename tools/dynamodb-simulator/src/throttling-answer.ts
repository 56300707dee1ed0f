import { exception } from './exceptions.ts';
import type { ThrottlingException } from './exceptions.ts';
import type { Limits, Throttle } from './limits.ts';
import type { DynamoDbResponse } from './upstream.ts';

export function throttlingAnswer(
  { reason, resource, type, exception: name }: Throttle,
  billing: Limits['billing'],
): DynamoDbResponse {
  const spelling = name ?? exceptionOf(type, billing);
  const reasons = [{ reason, resource }];
  const spelled =
    spelling === 'ThrottlingException'
      ? { throttlingReasons: reasons }
      : { ThrottlingReasons: reasons };
  const message = `Throughput exceeds the current capacity: ${reason} on ${resource}`;
  return exception(spelling, message, spelled);
}

function exceptionOf(type: Throttle['type'], billing: Limits['billing']): ThrottlingException {
  if (type === 'ProvisionedThroughputExceeded') return 'ProvisionedThroughputExceededException';
  if (type === 'MaxOnDemandThroughputExceeded') return 'ThrottlingException';
  if (billing === 'onDemand') return 'ThrottlingException';
  return type === 'AccountLimitExceeded'
    ? 'RequestLimitExceeded'
    : 'ProvisionedThroughputExceededException';
}
