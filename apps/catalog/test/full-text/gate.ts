import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy of the engine that can refuse Queries: polls for text changes then fail. */
export interface Gate {
  endpoint: string;
  isOpen: boolean;
  /** Number of refused Queries. */
  refused: number;
  close(): void;
}

export async function startGate(upstream: string): Promise<Gate> {
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  const gate: Gate = {
    endpoint: '',
    isOpen: true,
    refused: 0,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const target = String(request.headers['x-amz-target']);
    const type = 'application/x-amz-json-1.0';
    if (!gate.isOpen && target.endsWith('.Query')) {
      gate.refused++;
      response.writeHead(400, { 'content-type': type });
      const __type = 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException';
      response.end(JSON.stringify({ __type, message: 'too much' }));
      return;
    }
    const headers = {
      'content-type': type,
      'x-amz-target': target,
      authorization: String(request.headers.authorization),
      'x-amz-date': String(request.headers['x-amz-date']),
    };
    const answer = await fetch(upstream, { method: 'POST', headers, body });
    response.writeHead(answer.status, { 'content-type': type });
    response.end(Buffer.from(await answer.arrayBuffer()));
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  gate.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return gate;
}
