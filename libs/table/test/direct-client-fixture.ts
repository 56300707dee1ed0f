import { once } from 'node:events';
import { createServer } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DirectClient } from '../src/client/direct-client.ts';
import { createClients } from '../src/client/dynamodb-client.ts';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Response {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

export interface ReceivedRequest {
  headers: IncomingHttpHeaders;
  body: string;
  socket: Socket;
}

/** Clients, and a server in place of DynamoDB. */
export interface DirectClientFixture {
  endpoint: string;
  /** All requests, oldest first. */
  requests: ReceivedRequest[];
  respond: (headers: IncomingHttpHeaders) => Response;
  /** The SDK's client, with the request handler of the services, and the direct client that uses it. */
  openClients(
    config?: Partial<DynamoDBClientConfig>,
    endpoint?: string | null,
  ): { sdk: DynamoDBClient; direct: DirectClient };
  close(): void;
}

export const type = 'com.amazonaws.dynamodb.v20120810#';

export async function startDirectClientFixture(): Promise<DirectClientFixture> {
  const server = createServer((request, response) => {
    const { headers, socket } = request;
    void request.toArray().then((chunks: Buffer[]) => {
      fixture.requests.push({ headers, body: Buffer.concat(chunks).toString(), socket });
      const answer = fixture.respond(headers);
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const closables: { destroy: () => void }[] = [];
  const fixture: DirectClientFixture = {
    endpoint,
    requests: [],
    respond: () => ({ status: 200, body: '{}' }),
    openClients(config = {}, url = endpoint) {
      const place = { region: 'eu-west-1', endpoint: url ?? undefined };
      const location = { tableName: 't', ...place, timeoutMs: 5000 };
      const [own] = createClients(location, [1] as const);
      const { requestHandler } = own.config;
      const sdk = new DynamoDBClient({
        ...{ ...place, maxAttempts: 1, requestHandler },
        credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
        ...config,
      });
      const direct = new DirectClient({ sdk, maxInFlight: 4 });
      closables.push(own, sdk, direct);
      return { sdk, direct };
    },
    close() {
      for (const one of closables) one.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
  return fixture;
}

export const emptyBatch = JSON.stringify({ RequestItems: { t: [] } });
export const { signal } = new AbortController();

/** Sends a request. @returns the output, and the host that it was sent to */
export async function send(direct: DirectClient) {
  let host = '';
  const onAddress = (address: { hostname: string }) => (host = address.hostname);
  const output = await direct.send('BatchWriteItem', emptyBatch, { signal, onAddress });
  return { output, host };
}

/** The error of a promise that is rejected. */
export function thrown(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => error as Error,
  );
}
