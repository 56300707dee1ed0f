import { until } from '@engawa/testing';
import { z } from 'zod';
import { expectResponse } from '../src/openapi/expect-response.ts';
import { route } from '../src/route/route.ts';
import { GuardedApp } from './guarded-app.ts';
import { RawClient, head } from './raw-client.ts';
import { startApp } from './start-app.ts';
import type { EventStream } from '../src/events/event-stream.ts';
import type { StartedApp } from './start-app.ts';

let streams: EventStream[] = [];
let ended = new Set<EventStream>();

const live = route({
  method: 'get',
  path: '/v1/live',
  operationId: 'live',
  summary: 'Sends events',
  responses: { 200: { description: 'Events', events: z.strictObject({ data: z.string() }) } },
  handle: () => ({
    status: 200,
    events: (stream) => {
      streams.push(stream);
      const own = ended;
      stream.onEnd(() => own.add(stream));
    },
  }),
});

const large = route({
  method: 'get',
  path: '/v1/large',
  operationId: 'large',
  summary: 'Responds with more than the socket buffers',
  responses: { 200: { description: 'Text', schema: z.string() } },
  handle: () => ({ status: 200, body: 'x'.repeat(50_000_000) }),
});

const event = Buffer.from('data: x\n\n');

let app: StartedApp;
let clients: RawClient[] = [];

async function start(environment: Record<string, string> = {}): Promise<void> {
  app = await startApp({ routes: [live, large], environment });
}

function open(path = '/v1/live', headers: Record<string, string> = {}): RawClient {
  const client = new RawClient(app.url);
  clients.push(client);
  return client.write(head('GET', path, headers));
}

async function opened(headers: Record<string, string> = {}) {
  const before = streams.length;
  const client = open('/v1/live', headers).read();
  await until('an open stream', () => streams.length > before);
  await until('its headers', () => client.received.includes('\r\n\r\n'));
  const stream = streams.at(-1);
  if (stream === undefined) throw new Error('no stream');
  return { client, stream };
}

/** Writes until the socket and the buffers of both sides are full. */
function fill(stream: EventStream): void {
  const bytes = Buffer.alloc(1_000_000, 'x');
  while (stream.write(bytes) || stream.bufferedBytes < 30_000_000);
}

beforeEach(() => {
  streams = [];
  clients = [];
  ended = new Set();
});
afterEach(async () => {
  for (const client of clients) client.close();
  await app.close();
});

describe('a response of Server-Sent Events', () => {
  it('has its headers before the first event, and events uncompressed at once', async () => {
    await start();
    const { client, stream } = await opened({ 'accept-encoding': 'gzip' });
    expect(client.received).toMatch(/^content-type: text\/event-stream\r$/im);
    expect(client.received).toMatch(/^cache-control: no-store\r$/im);
    expect(client.received).toMatch(/^x-accel-buffering: no\r$/im);
    expect(client.received).not.toMatch(/^content-encoding/im);
    stream.write(event);
    await until('the event', () => client.received.includes('data: x\n\n'));
    stream.end();
    await until('the end of the stream', () => ended.size === 1);
  });

  it('is declared with the schema of an event, and has no event in a response to HEAD', async () => {
    await start();
    const response = await fetch(`${app.url}/v1/live`, { method: 'HEAD' });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(streams).toEqual([]);
    const { paths } = await app.contract();
    const content = paths['/v1/live']?.['get']?.responses['200']?.content;
    expect(content?.['text/event-stream']?.schema).toMatchObject({ required: ['data'] });
  });

  it('occupies no slot of MAX_REQUESTS_IN_FLIGHT, and is counted when it begins', async () => {
    await start({ MAX_REQUESTS_IN_FLIGHT: '3' });
    for (let count = 0; count < 8; count++) await opened();
    await expectResponse(await app.contract(), await fetch(`${app.url}/v1/large`));
    expect(await app.counted('/v1/live', 200)).toBe(8);
    for (const client of clients) client.close();
    await until('the end of all', () => ended.size === 8);
    expect(await app.counted('/v1/live', 499)).toBe(0);
    expect(await app.counted('/v1/live', 200)).toBe(8);
  });

  it('is not aborted when the client is slower than other responses may be read', async () => {
    await start({ TRANSFER_GRACE_MS: '100' });
    const { client, stream } = await opened();
    client.socket.pause();
    fill(stream);
    const other = open('/v1/large');
    await until('the end of the other', () => other.socket.closed || other.read().isClosed);
    expect(ended.size).toBe(0);
    let drained = false;
    stream.onDrain(() => (drained = true));
    client.socket.resume();
    await until('everything read', () => drained);
  });

  it('is aborted at its end when the client does not read', async () => {
    await start();
    const { client, stream } = await opened();
    client.socket.pause();
    fill(stream);
    stream.end();
    await until('the end', () => ended.size === 1);
  });
});

describe('a stream of a client with a token', () => {
  it('ends when the token expires', async () => {
    const environment = { AUTH_CLOCK_TOLERANCE_S: '0' };
    const guarded = await GuardedApp.start({ routes: [live], environment });
    app = guarded.app;
    const exp = Math.floor(Date.now() / 1000) + 2;
    const token = await guarded.issuer.token({ scope: 'sample:read', exp });
    await opened({ authorization: `Bearer ${token}` });
    await until('the end', () => ended.size === 1);
    expect(Date.now()).toBeGreaterThanOrEqual(exp * 1000);
    await guarded.issuer.close();
  });
});
