import type { DynamoDbResponse, Document } from './upstream.ts';

/** Statuses that DynamoDB gives with exceptions other than 400 (API reference, "Common Error Types"). */
const statuses: Readonly<Record<string, number>> = {
  InternalServerError: 500,
  ServiceUnavailable: 503,
  ServiceUnavailableException: 503,
};

/** As DynamoDB answers with it: the type's full name, and the message under the name that this type has. */
export function exception(name: string, message: string, more: Document = {}): DynamoDbResponse {
  return {
    status: statuses[name] ?? 400,
    body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message, ...more },
  };
}

/** The three exceptions that mean throttling. Two of them spell their reasons one way, the third the other. */
export const throttlingExceptions = [
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
] as const;
export type ThrottlingException = (typeof throttlingExceptions)[number];
