import { Availability } from '../observe/availability.ts';
import { ItemClient } from '../read/item-client.ts';
import { QueryClient } from '../read/query-client.ts';
import { RequestSender } from '../client/request-sender.ts';
import { ResponseCheck } from '../client/response-check.ts';
import { CredentialSource } from '../client/credential-source.ts';
import { DirectClient } from '../client/direct-client.ts';
import { createClients, maxInFlight } from '../client/dynamodb-client.ts';
import { AttemptObserver, observeAttempts } from '../heat/observe-attempts.ts';
import { capacityParameter, reportCapacity } from '../observe/report-capacity.ts';
import { Table } from '../table.ts';
import { RequestTracer, traceRequests } from '../observe/trace.ts';
import { BatchWriteClient } from '../write/batch-write-client.ts';
import { operationOf } from '../observe/request-name.ts';
import type { Heat } from '@engawa/heat';
import type { Logger } from 'pino';
import type { TableLocation } from '../client/dynamodb-client.ts';
import type { CapacityDetail } from '../observe/report-capacity.ts';
import type { TableMetrics } from '../observe/table-metrics.ts';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** Attempts of a request by the SDK. */
const maxAttempts = 3;

export interface ConnectTableOptions extends TableLocation {
  /** Detail of reported capacity units; by default those of the table and of each index. */
  capacity?: CapacityDetail | undefined;
  /** Maximum bytes of a batch; by default just below 1 MiB. */
  maxRequestBytes?: number | undefined;
  metrics: TableMetrics;
  /** Records every attempt, where hot partitions are to be detected. */
  heat?: Heat | undefined;
  log: Logger;
}

/** Opens no connection: the first request or `waitUntilReady` does. */
export function connectTable(options: ConnectTableOptions): Table {
  const { tableName, region, endpoint, capacity = 'indexes', metrics, heat } = options;
  const log = options.log.child({ table: tableName });
  const place =
    endpoint === undefined ? `in ${region ?? 'the region of the AWS profile'}` : `at ${endpoint}`;
  const availability = new Availability({ tableName, place });
  const tracer = new RequestTracer(tableName);
  const credentials = new CredentialSource();
  const attempts = new AttemptObserver({ metrics, availability, credentials, heat, log });
  const responses = new ResponseCheck({ isAws: endpoint === undefined });
  const [client, singleAttemptClient] = createClients(
    options,
    [maxAttempts, 1] as const,
    credentials,
  );
  for (const each of [client, singleAttemptClient]) {
    reportCapacity(each, capacity);
    traceRequests(each, tracer);
    observeRequests(each, availability);
    observeAttempts(each, attempts, responses);
  }
  const observers = { tracer, availability, attempts, responses };
  // Reads and batch writes have limits of their own, so that they cannot starve each other.
  const [reads, writes] = [client, singleAttemptClient].map(
    (sdk) => new DirectClient({ sdk, maxInFlight }),
  ) as [DirectClient, DirectClient];
  const reported = capacityParameter(capacity);
  const reader = new RequestSender({ direct: reads, maxAttempts, ...observers });
  return new Table({
    ...{ tableName, client, singleAttemptClient, availability, log },
    direct: [reads, writes],
    queries: new QueryClient({ sender: reader, capacity: reported }),
    items: new ItemClient({ tableName, sender: reader, capacity: reported }),
    batches: new BatchWriteClient({
      sender: new RequestSender({ direct: writes, maxAttempts: 1, ...observers }),
      ...{ tableName, capacity: reported },
      maxRequestBytes: options.maxRequestBytes,
    }),
  });
}

/** Reports failed requests to the availability, including requests that were not sent for lack of credentials. */
function observeRequests(client: DynamoDBClient, availability: Availability): void {
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
