import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeadlineHandler } from './deadline-handler.ts';
import type { NodeHttpHandler } from '@smithy/node-http-handler';

/** Where the table is and how long an attempt may take. */
export interface TableLocation {
  tableName: string;
  /** Taken from the AWS profile when absent. */
  region?: string | undefined;
  /** A DynamoDB API other than that of AWS. */
  endpoint?: string | undefined;
  /** Milliseconds until an attempt is given up. */
  timeoutMs: number;
}

/** Sockets: the writer's 64 batches in flight, and as many questions beside them. */
const maxSockets = 128;

/** The longest that setting up a connection may take, in milliseconds. */
const longestConnect = 1000;

/** An API on plain http is not that of AWS; the local ones want a signature, but any. */
const placeholderCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** Clients with the same connections, one for each number of attempts that it should make. */
export function createClients<Attempts extends readonly number[]>(
  location: TableLocation,
  attempts: Attempts,
): { [index in keyof Attempts]: DynamoDBClient } {
  const requestHandler = createRequestHandler(location.timeoutMs);
  const isLocal = location.endpoint?.startsWith('http:') ?? false;
  const needsPlaceholder = isLocal && process.env['AWS_ACCESS_KEY_ID'] === undefined;
  const create = (maxAttempts: number) =>
    new DynamoDBClient({
      region: location.region ?? (isLocal ? 'local' : undefined),
      endpoint: location.endpoint,
      credentials: needsPlaceholder ? placeholderCredentials : undefined,
      requestHandler,
      retryMode: 'standard',
      maxAttempts,
    });
  return attempts.map(create) as { [index in keyof Attempts]: DynamoDBClient };
}

function createRequestHandler(timeoutMs: number): NodeHttpHandler {
  const agent = { keepAlive: true, maxSockets };
  return new DeadlineHandler({
    httpAgent: new HttpAgent(agent),
    httpsAgent: new HttpsAgent(agent),
    connectionTimeout: Math.min(timeoutMs, longestConnect),
    requestTimeout: timeoutMs,
    // Otherwise that is a mere warning.
    throwOnRequestTimeout: true,
  });
}
