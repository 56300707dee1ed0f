import type { DynamoDBClient, ReturnConsumedCapacity } from '@aws-sdk/client-dynamodb';

/** Detail of the consumed capacity that requests ask DynamoDB to report. */
export const capacityDetails = ['indexes', 'total', 'none'] as const;
export type CapacityDetail = (typeof capacityDetails)[number];

/** Values of ReturnConsumedCapacity; for `none` the parameter is omitted, which every API accepts. */
const parameters = { indexes: 'INDEXES', total: 'TOTAL', none: undefined } as const;

/** Spellings of the parameter in error messages: "INDEXES consumed capacity", `returnConsumedCapacity`. */
const parameterName = /consumed ?capacity/i;

/**
 * Whether an API rejects a request because of ReturnConsumedCapacity. It then rejects every
 * request, so the error does not concern the items in this one. An error that merely quotes these
 * words from an item does concern it.
 */
export function refusesCapacity(error: Error, input: object): boolean {
  if (!parameterName.test(error.message)) return false;
  const { ReturnConsumedCapacity: requested, ...rest } = input as {
    ReturnConsumedCapacity?: string;
  };
  return requested !== undefined && !parameterName.test(JSON.stringify(rest));
}

/** The value of ReturnConsumedCapacity. */
export function capacityParameter(detail: CapacityDetail): ReturnConsumedCapacity | undefined {
  return parameters[detail];
}

/** Adds ReturnConsumedCapacity to every request of the client. */
export function reportCapacity(client: DynamoDBClient, detail: CapacityDetail): void {
  client.middlewareStack.add(
    (next) => (request) => {
      const input = { ...request.input, ReturnConsumedCapacity: capacityParameter(detail) };
      return next({ ...request, input });
    },
    { name: 'engawaReportCapacity', step: 'initialize' },
  );
}
