import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** What DynamoDB is asked to say of the units that a request took. */
export const capacityDetails = ['indexes', 'total', 'none'] as const;
export type CapacityDetail = (typeof capacityDetails)[number];

/** DynamoDB's words for it; where it is none, it is not asked at all, which every API understands. */
const wanted = { indexes: 'INDEXES', total: 'TOTAL', none: undefined } as const;

/** As errors name it: "INDEXES consumed capacity", `returnConsumedCapacity`. */
const named = /consumed ?capacity/i;

/**
 * Whether an API refuses a request for what it is asked to report: it would refuse any other, too, so that says nothing
 * of what is in this one. Unless those are words of an item, which errors may give back: that item alone is refused.
 */
export function refusesCapacity(error: Error, input: object): boolean {
  if (!named.test(error.message)) return false;
  const { ReturnConsumedCapacity: asked, ...sent } = input as { ReturnConsumedCapacity?: string };
  return asked !== undefined && !named.test(JSON.stringify(sent));
}

/** Every request of this client asks for it, so that no request can be forgotten. */
export function reportCapacity(client: DynamoDBClient, detail: CapacityDetail): void {
  client.middlewareStack.add(
    (next) => (request) => {
      const input = { ...request.input, ReturnConsumedCapacity: wanted[detail] };
      return next({ ...request, input });
    },
    { name: 'engawaReportCapacity', step: 'initialize' },
  );
}
