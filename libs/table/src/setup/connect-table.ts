import { Availability } from '../observe/availability.ts';
import { createClients } from '../client/dynamodb-client.ts';
import { observeAttempts } from '../heat/observe-attempts.ts';
import { observeRequests } from '../observe/observe-requests.ts';
import { reportCapacity } from '../observe/report-capacity.ts';
import { Table } from '../table.ts';
import { traceRequests } from '../observe/trace.ts';
import type { Heat } from '@engawa/heat';
import type { Logger } from 'pino';
import type { TableLocation } from '../client/dynamodb-client.ts';
import type { CapacityDetail } from '../observe/report-capacity.ts';
import type { TableMetrics } from '../observe/table-metrics.ts';

/** Attempts that the SDK makes of a request by itself. */
const attempts = 3;

export interface ConnectTableOptions extends TableLocation {
  /** What to ask of the units that requests took; those of the table and of each index where it is absent. */
  capacity?: CapacityDetail | undefined;
  metrics: TableMetrics;
  /** Told of every attempt, where somebody wants to know what is hot. */
  heat?: Heat | undefined;
  log: Logger;
}

/** Opens no connection yet: the first request does, or `waitUntilReady`. */
export function connectTable(options: ConnectTableOptions): Table {
  const { tableName, region, endpoint, capacity = 'indexes', metrics, heat } = options;
  const log = options.log.child({ table: tableName });
  const place =
    endpoint === undefined ? `in ${region ?? 'the region of the AWS profile'}` : `at ${endpoint}`;
  const availability = new Availability({ tableName, place });
  const [client, singleAttemptClient] = createClients(options, [attempts, 1] as const);
  for (const each of [client, singleAttemptClient]) {
    reportCapacity(each, capacity);
    traceRequests(each, tableName);
    observeRequests(each, availability);
    observeAttempts(each, { metrics, availability, heat, log });
  }
  return new Table({ tableName, client, singleAttemptClient, availability, log });
}
