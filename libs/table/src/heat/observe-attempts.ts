import { errorKindOf } from '../errors/dynamo-error.ts';
import { AttemptLedger } from './attempt-ledger.ts';
import { requestedIndex, operationOf } from '../observe/request-name.ts';
import { refusesCapacity } from '../observe/report-capacity.ts';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Heat } from '@engawa/heat';
import type { Logger } from 'pino';
import type { Availability } from '../observe/availability.ts';
import type { TableMetrics } from '../observe/table-metrics.ts';

interface Observers {
  metrics: TableMetrics;
  availability: Availability;
  heat?: Heat | undefined;
  log: Logger;
}

/** Measures every attempt, including the SDK's own retries, which are invisible to the caller. */
export function observeAttempts(
  client: DynamoDBClient,
  { metrics, availability, heat, log }: Observers,
): void {
  const ledger = new AttemptLedger({ metrics, heat });
  // An error in the accounting must not fail the request.
  const account = (keep: () => void) => {
    try {
      keep();
    } catch (error) {
      log.debug({ err: error }, 'counting the units of a DynamoDB response failed');
    }
  };
  client.middlewareStack.add(
    (next, { commandName }) => {
      const operation = operationOf(commandName);
      return async (attempt) => {
        const { input } = attempt;
        const index = requestedIndex(input);
        const start = performance.now();
        const ended = (outcome: Parameters<TableMetrics['attempted']>[1]) =>
          metrics.attempted({ operation, index }, outcome, (performance.now() - start) / 1000);
        try {
          const result = await next(attempt);
          ended('ok');
          availability.answered(operation);
          account(() => ledger.succeeded({ operation, index, input }, result.output ?? {}));
          return result;
        } catch (thrown) {
          const error = asError(thrown);
          if (refusesCapacity(error, input)) Object.assign(error, { refusesCapacity: true });
          ended(errorKindOf(error));
          account(() => ledger.failed({ operation, index, input }, error));
          throw error;
        }
      };
    },
    // Outside the deserializer, so that errors are parsed; inside the retries, which run one step earlier.
    { name: 'engawaObserveAttempts', step: 'deserialize', priority: 'high' },
  );
}

/** The SDK's retry reduces an error of another realm (Node's own, where tests run in a vm context) to its message. */
function asError(error: unknown): Error {
  if (error instanceof Error) return error;
  return Object.assign(new Error(String(error), { cause: error }), error);
}
