import { createServer } from 'node:http';
import { crc32 } from 'node:zlib';
import { exceptionAnswer } from './refusal.ts';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Document } from './refusal.ts';
import type { TableAnswer, TableEndpoint } from './table-endpoint.ts';

export interface TableServerOptions {
  /** Milliseconds since 1970 of DynamoDB's clock, for the Date of its answers. */
  now: () => number;
}

/** DynamoDB's JSON protocol over HTTP. It checks no signatures. The caller lets it listen. */
export function createTableServer(endpoint: TableEndpoint, { now }: TableServerOptions): Server {
  return createServer((request, response) => {
    // Node would take the time of the machine.
    response.sendDate = false;
    handle(endpoint, request).then(
      (answer) => respond(answer, response, now),
      () => response.destroy(),
    );
  });
}

async function handle(endpoint: TableEndpoint, request: IncomingMessage): Promise<TableAnswer> {
  const chunks = (await request.toArray()) as Buffer[];
  const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
  const input = parse(Buffer.concat(chunks).toString());
  if (input !== undefined) return endpoint.answer(operation, input);
  const refusal = exceptionAnswer('SerializationException', 'the body is not JSON');
  return { kind: 'answer', ...refusal };
}

function parse(text: string): Document | undefined {
  try {
    return JSON.parse(text) as Document;
  } catch {
    return undefined;
  }
}

/** A lost answer cuts the connection; a stuck one leaves it open and silent. */
function respond(answer: TableAnswer, response: ServerResponse, now: () => number): void {
  if (answer.kind === 'stuck' || response.destroyed) return;
  if (answer.kind === 'lost') {
    response.socket?.destroy();
    return;
  }
  const body = Buffer.from(JSON.stringify(answer.body));
  response.writeHead(answer.status, {
    date: new Date(now()).toUTCString(),
    'content-type': 'application/x-amz-json-1.0',
    'content-length': body.length,
    'x-amz-crc32': crc32(body),
  });
  response.end(body);
}
