import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { BoundedClient } from './bounded-client.ts';
import { DeadlineHandler, limitConnecting } from './deadline-handler.ts';
import type { DynamoDBClient, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** The location of the table, and the timeout of its requests. */
export interface TableLocation {
  tableName: string;
  /** Read from the AWS profile when absent. */
  region?: string | undefined;
  /** URL of a DynamoDB API outside AWS. */
  endpoint?: string | undefined;
  /** Timeout of an attempt, excluding the wait for a permit (see BoundedClient). */
  timeoutMs: number;
}

/** Attempts in flight per client. Batch writes, reads and all other requests have a client each. */
export const maxInFlight = 64;

/**
 * Enough for batch writes, reads, all other requests, and sockets that are being closed: an attempt never waits for a
 * socket, since its timeout runs by then.
 */
const maxSockets = 224;

/** Timeout of setting up a connection. */
const maxConnectMs = 1000;

/** For an API on plain http, which is not AWS: local engines require a signature and do not verify it. */
const placeholderCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** Without `info` and `error`: with them the SDK copies each request and response (@aws-sdk/core, loggerMiddleware). */
const noLogger = { trace: ignore, debug: ignore, warn: ignore } as DynamoDBClientConfig['logger'];

/**
 * Clients that share connections and have separate limits of attempts in flight.
 * @param attempts maximum attempts of a request, one number per client
 */
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
  // observeAttempts measures and logs the attempts.
}

function createRequestHandler(timeoutMs: number): DeadlineHandler {
  const agent = { keepAlive: true, maxSockets };
  const connectMs = Math.min(timeoutMs, maxConnectMs);
  return new DeadlineHandler({
    httpAgent: limitConnecting(new HttpAgent(agent), connectMs),
    httpsAgent: limitConnecting(new HttpsAgent(agent), connectMs),
    timeoutMs,
  });
}
