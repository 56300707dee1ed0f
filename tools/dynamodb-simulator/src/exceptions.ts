import type { DynamoDbResponse, Document } from './upstream.ts';

/** HTTP statuses of exceptions, where they are not 400 (API reference, "Common Error Types"). */
const statuses: Readonly<Record<string, number>> = {
  InternalServerError: 500,
  ServiceUnavailable: 503,
  ServiceUnavailableException: 503,
};

/** DynamoDB's response for an exception: the type's full name and the message. */
export function exception(name: string, message: string, more: Document = {}): DynamoDbResponse {
  return {
    status: statuses[name] ?? 400,
    body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message, ...more },
  };
}

/** The three exceptions of throttling. ThrottlingException has `throttlingReasons`, the others `ThrottlingReasons`. */
export const throttlingExceptions = [
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
] as const;
export type ThrottlingException = (typeof throttlingExceptions)[number];
