import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to DynamoDB on its way through the proxy. */
export interface ProxiedRequest {
  /** The DynamoDB operation: `Query`, `TransactWriteItems`. */
  operation: string;
  /** JSON. */
  body: string;
  /** The id of the key that signed it. */
  accessKeyId: string;
  /** The response of the DynamoDB API to this request, or to this one with another body. */
  forward: (body?: string) => Promise<ProxiedResponse>;
  /** For faults that are no response, such as a closed connection. */
  connection: ServerResponse;
}

export interface ProxiedResponse {
  status: number;
  /** JSON. */
  body: string;
  headers?: Record<string, string>;
}

export interface DynamoDbProxy {
  /** URL of the proxy. */
  endpoint: string;
  close(): Promise<void>;
}

/**
 * A proxy in front of a DynamoDB API, on a free port.
 * @param upstream URL of the DynamoDB API
 * @param respond gives the response to a request; undefined if it has ended the connection or lets the client wait
 */
export async function startDynamoDbProxy(
  upstream: string,
  respond: (request: ProxiedRequest) => Promise<ProxiedResponse | undefined>,
): Promise<DynamoDbProxy> {
  async function pass(request: IncomingMessage, connection: ServerResponse): Promise<void> {
    const body = await text(request);
    const { headers } = request;
    const [, accessKeyId = ''] = /Credential=([^/]*)/.exec(headers.authorization ?? '') ?? [];
    const response = await respond({
      operation: String(headers['x-amz-target']).split('.')[1] ?? '',
      body,
      accessKeyId,
      forward: (other = body) => forward(upstream, request, other),
      connection,
    });
    if (response === undefined || connection.destroyed) return;
    const type = { 'content-type': 'application/x-amz-json-1.0' };
    connection.writeHead(response.status, { ...type, ...response.headers }).end(response.body);
  }
  const server = createServer({ keepAliveTimeout: 0 }, (request, connection) => {
    pass(request, connection).catch(() => connection.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** An error in DynamoDB's form. */
export function dynamoDbError(
  name: string,
  message = `words of AWS about ${name}`,
  more: object = {},
): ProxiedResponse {
  const __type = `com.amazonaws.dynamodb.v20120810#${name}`;
  return { status: 400, body: JSON.stringify({ __type, message, ...more }) };
}

async function forward(
  upstream: string,
  { headers }: IncomingMessage,
  body: string,
): Promise<ProxiedResponse> {
  const passedOn = ['content-type', 'x-amz-target', 'x-amz-date', 'authorization'];
  const response = await fetch(upstream, {
    method: 'POST',
    headers: passedOn.map((name): [string, string] => [name, String(headers[name])]),
    body,
  });
  const passedBack = ['x-amzn-requestid', 'x-amz-crc32'];
  return {
    status: response.status,
    body: await response.text(),
    headers: Object.fromEntries(
      passedBack.flatMap((name) => {
        const value = response.headers.get(name);
        return value === null ? [] : [[name, value]];
      }),
    ),
  };
}
