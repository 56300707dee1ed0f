// A table that takes its time: answers each BatchWriteItem itself, late, and keeps nothing of it,
// so that it can go on for an hour; everything else is the engine's to answer.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '../serve.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Argument {
  endpoint: string;
  tableName: string;
  /** Milliseconds. */
  delay: number;
}

const { endpoint, tableName, delay } = JSON.parse(process.argv[2] ?? '{}') as Argument;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const target = String(request.headers['x-amz-target']);
  const headers = { 'content-type': 'application/x-amz-json-1.0' };
  if (target.endsWith('.BatchWriteItem')) {
    // The items of this bench are below a kilobyte and in no index: a unit each.
    const CapacityUnits = body.split('"PutRequest"').length - 1;
    const used = { TableName: tableName, CapacityUnits, Table: { CapacityUnits } };
    await sleep(delay);
    response.writeHead(200, headers);
    response.end(JSON.stringify({ UnprocessedItems: {}, ConsumedCapacity: [used] }));
    return;
  }
  const passed = { ...headers, ...signed(request.headers) };
  const given = await fetch(endpoint, { method: 'POST', headers: passed, body });
  response.writeHead(given.status, headers);
  response.end(await given.text());
}

/** The signed headers and a signature; the engine requires it, but does not verify it. */
function signed(headers: IncomingMessage['headers']): Record<string, string> {
  const names = Object.keys(headers).filter((name) => /^(authorization|x-amz-.*)$/.test(name));
  return Object.fromEntries(names.map((name) => [name, String(headers[name])]));
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
serve({}, { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
