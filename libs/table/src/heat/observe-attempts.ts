import { errorKindOf } from '../errors/dynamo-error.ts';
import { AttemptLedger } from './attempt-ledger.ts';
import { requestedIndex, operationOf } from '../observe/request-name.ts';
import { refusesCapacity } from '../observe/report-capacity.ts';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Heat } from '@engawa/heat';
import type { Logger } from 'pino';
import type { AttemptRequest } from './attempt-ledger.ts';
import type { CredentialSource } from '../client/credential-source.ts';
import type { ResponseCheck } from '../client/response-check.ts';
import type { Availability } from '../observe/availability.ts';
import type { TableMetrics } from '../observe/table-metrics.ts';

interface Observers {
  metrics: TableMetrics;
  availability: Availability;
  credentials: Pick<CredentialSource, 'rejected'>;
  heat?: Heat | undefined;
  log: Logger;
}

/** Measures attempts of requests. */
export class AttemptObserver {
  readonly #observers: Observers;
  readonly #ledger: AttemptLedger;

  constructor(observers: Observers) {
    this.#observers = observers;
    this.#ledger = new AttemptLedger(observers);
  }

  /** Makes one attempt, and measures it. @throws the error of the attempt */
  async observe<Result extends { output?: object }>(
    request: AttemptRequest,
    attempt: () => Promise<Result>,
  ): Promise<Result> {
    const { metrics, availability } = this.#observers;
    const start = performance.now();
    const ended = (outcome: Parameters<TableMetrics['attempted']>[1]) =>
      metrics.attempted(request, outcome, (performance.now() - start) / 1000);
    try {
      const result = await attempt();
      ended('ok');
      availability.answered(request.operation, request.index);
      this.#account(() => this.#ledger.succeeded(request, result.output ?? {}));
      return result;
    } catch (thrown) {
      const error = asError(thrown);
      if (refusesCapacity(error, request.input)) Object.assign(error, { refusesCapacity: true });
      const kind = errorKindOf(error);
      // The SDK retries only errors that it knows.
      if (kind === 'unknown') Object.assign(error, { $retryable: {} });
      if (kind === 'credentials') this.#observers.credentials.rejected();
      ended(kind);
      this.#account(() => this.#ledger.failed(request, error));
      throw error;
    }
  }

  /** An error in the accounting must not fail the request. */
  #account(keep: () => void): void {
    try {
      keep();
    } catch (error) {
      this.#observers.log.debug({ err: error }, 'counting the units of a DynamoDB response failed');
    }
  }
}

/** Measures and checks every attempt of a client, including the SDK's own retries, which the caller does not see. */
export function observeAttempts(
  client: DynamoDBClient,
  observer: AttemptObserver,
  responses: ResponseCheck,
): void {
  client.middlewareStack.add(
    (next, { commandName }) => {
      const operation = operationOf(commandName);
      return (attempt) => {
        const { input } = attempt;
        const request = { operation, index: requestedIndex(input), input };
        return observer.observe(request, async () => {
          const result = await next(attempt);
          responses.check(operation, input, result.output ?? {});
          return result;
        });
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
