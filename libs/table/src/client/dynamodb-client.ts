import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { BoundedClient } from './bounded-client.ts';
import { DeadlineHandler, limitConnecting } from './deadline-handler.ts';
import type { DynamoDBClient, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { NodeHttpHandler } from '@smithy/node-http-handler';

/** Where the table is and how long an attempt may take. */
export interface TableLocation {
  tableName: string;
  /** Taken from the AWS profile when absent. */
  region?: string | undefined;
  /** A DynamoDB API other than that of AWS. */
  endpoint?: string | undefined;
  /** Milliseconds until an attempt is given up, without what it waits for its turn. */
  timeoutMs: number;
}

/**
 * Attempts that each client has in flight. The writer's batches go through a client of their own, so that neither they nor
 * all other requests can take the others' places.
 */
const maxInFlight = 64;

/** For two clients, and some that are being closed: no attempt waits for a socket, since its timeout has begun. */
const maxSockets = 160;

/** For setting up a connection. */
const maxConnectMs = 1000;

/** An API on plain http is not that of AWS; the local ones want a signature, but any. */
const placeholderCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** Without `info` and `error`, for which the SDK would copy each request and answer (@aws-sdk/core, loggerMiddleware). */
const noLogger = { trace: ignore, debug: ignore, warn: ignore } as DynamoDBClientConfig['logger'];

/** Clients that share connections, but no limit of requests: one for each number of attempts. */
export function createClients<Attempts extends readonly number[]>(
  location: TableLocation,
  attempts: Attempts,
): { [index in keyof Attempts]: DynamoDBClient } {
  const requestHandler = createRequestHandler(location.timeoutMs);
  const isLocal = location.endpoint?.startsWith('http:') ?? false;
  const needsPlaceholder = isLocal && process.env['AWS_ACCESS_KEY_ID'] === undefined;
  const create = (maxAttempts: number) =>
    new BoundedClient({
      maxInFlight,
      region: location.region ?? (isLocal ? 'local' : undefined),
      endpoint: location.endpoint,
      credentials: needsPlaceholder ? placeholderCredentials : undefined,
      requestHandler,
      logger: noLogger,
      retryMode: 'standard',
      maxAttempts,
    });
  return attempts.map(create) as { [index in keyof Attempts]: DynamoDBClient };
}

function ignore(): void {
  // What is of interest is measured by `observe`.
}

function createRequestHandler(timeoutMs: number): NodeHttpHandler {
  const agent = { keepAlive: true, maxSockets };
  const connectMs = Math.min(timeoutMs, maxConnectMs);
  return new DeadlineHandler({
    httpAgent: limitConnecting(new HttpAgent(agent), connectMs),
    httpsAgent: limitConnecting(new HttpsAgent(agent), connectMs),
    timeoutMs,
  });
}
