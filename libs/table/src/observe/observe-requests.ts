import { operationOf } from './request-name.ts';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Availability } from './availability.ts';

/** Reports failed requests to the availability, including requests that were not sent for lack of credentials. */
export function observeRequests(client: DynamoDBClient, availability: Availability): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (request) => {
        try {
          return await next(request);
        } catch (error) {
          availability.failed(operationOf(commandName), error);
          throw error;
        }
      },
    { name: 'engawaObserveRequests', step: 'initialize' },
  );
}
