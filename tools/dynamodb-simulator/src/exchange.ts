import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { crc32 } from 'node:zlib';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TextResponse {
  status: number;
  /** JSON. */
  text: string;
}

/**
 * A server that keeps idle connections. Node closes them after five seconds, which a request that is on its way meets
 * with a reset: on a busy machine clients would send requests twice.
 */
export function serverOf(listener: RequestListener): Server {
  const server = createServer(listener);
  server.keepAliveTimeout = 0;
  return server;
}

/** The operation that a client asks for, from the header of DynamoDB's protocol. */
export function operationOf({ headers }: IncomingMessage): string {
  return String(headers['x-amz-target']).split('.')[1] ?? '';
}

export async function readText(request: IncomingMessage): Promise<string> {
  return Buffer.concat((await request.toArray()) as Buffer[]).toString();
}

/** Answers as DynamoDB does: with a request id and the checksum of the body. */
export function sendText(response: ServerResponse, { status, text }: TextResponse): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': Buffer.byteLength(text),
    'x-amzn-requestid': randomUUID(),
    'x-amz-crc32': crc32(text),
  });
  response.end(text);
}

/** The URL of a listening server. */
export function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
