import { Agent as HttpAgent } from 'node:http';
import { globalAgent, Agent as HttpsAgent } from 'node:https';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { BoundedClient } from './bounded-client.ts';
import { CredentialSource } from './credential-source.ts';
import { DeadlineHandler, limitConnecting } from './deadline-handler.ts';
import type { DynamoDBClient, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { LoadCredentials } from './credential-source.ts';

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
 * @param credentials of the clients, unless placeholders are sufficient
 */
export function createClients<Attempts extends readonly number[]>(
  location: TableLocation,
  attempts: Attempts,
  credentials = new CredentialSource(),
): { [index in keyof Attempts]: DynamoDBClient } {
  const requestHandler = createRequestHandler(location.timeoutMs);
  const isLocal = location.endpoint?.startsWith('http:') ?? false;
  const needsPlaceholder = isLocal && process.env['AWS_ACCESS_KEY_ID'] === undefined;
  const create = (maxAttempts: number) =>
    new BoundedClient({
      maxInFlight,
      region: location.region ?? (isLocal ? 'local' : undefined),
      endpoint: location.endpoint,
      credentials: needsPlaceholder ? placeholderCredentials : credentials.provide,
      requestHandler,
      logger: noLogger,
      retryMode: 'standard',
      maxAttempts,
    });
  const clients = attempts.map(create);
  const [first] = clients;
  if (first !== undefined) credentials.use(loaderOf(first));
  return clients as { [index in keyof Attempts]: DynamoDBClient };
}

/** Loads credentials as the SDK does by default, without its caches of files and of the result. */
function loaderOf({ config }: DynamoDBClient): LoadCredentials {
  const provider = defaultProvider({ parentClientConfig: { ...config }, ignoreCache: true });
  return () => provider({ forceRefresh: true });
}

function ignore(): void {
  // observeAttempts measures and logs the attempts.
}

function createRequestHandler(timeoutMs: number): DeadlineHandler {
  // With NODE_USE_ENV_PROXY=1 Node gives its own agents the environment, with HTTPS_PROXY and NO_PROXY; not these.
  const { proxyEnv } = globalAgent.options;
  const agent = { keepAlive: true, maxSockets, proxyEnv };
  const connectMs = Math.min(timeoutMs, maxConnectMs);
  return new DeadlineHandler({
    httpAgent: limitConnecting(new HttpAgent(agent), connectMs),
    httpsAgent: limitConnecting(new HttpsAgent(agent), connectMs),
    timeoutMs,
  });
}
