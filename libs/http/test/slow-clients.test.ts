import { z } from 'zod';
import { route } from '../src/route/route.ts';
import { RawClient, chunk, head } from './raw-client.ts';
import { startRowsApp } from './rows-app.ts';
import { until } from './sample-app.ts';
import { startApp } from './start-app.ts';
import type { StartedApp } from './start-app.ts';

const responses = { 200: { description: 'An answer', schema: z.strictObject({}) } };
const body = z.strictObject({ name: z.string().optional() });

const change = route({
  method: 'patch',
  path: '/v1/things',
  operationId: 'change',
  summary: 'Reads a complete body',
  body,
  responses,
  handle: () => ({ status: 200, body: {} }),
});

const upload = route({
  method: 'post',
  path: '/v1/things',
  operationId: 'upload',
  summary: 'Reads a body in parts',
  streamed: { types: { 'application/json': z.unknown() }, maxBytes: 100_000_000 },
  responses,
  async handle({ stream }) {
    for await (const piece of stream.chunks) expect(piece.length).toBeGreaterThan(0);
    return { status: 200, body: {} };
  },
});

const large = route({
  method: 'get',
  path: '/v1/large',
  operationId: 'large',
  summary: 'Responds with more than the socket buffers',
  responses: { 200: { description: 'Text', schema: z.string() } },
  handle: () => ({ status: 200, body: 'x'.repeat(50_000_000) }),
});

const json = { 'content-type': 'application/json' };
const gzip = { ...json, 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' };
/** RFC 1952 section 2.3: a header that announces a file name, which ends with a zero byte. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]);

let app: StartedApp;
let clients: RawClient[] = [];
beforeEach(async () => {
  clients = [];
  app = await startApp({ routes: [change, upload, large], environment: hurried });
});
afterEach(async () => {
  for (const client of clients) client.close();
  await app.close();
});

/** A client sends far less than the minimum rate within this grace period. */
const hurried = { TRANSFER_GRACE_MS: '200', MIN_TRANSFER_BYTES_PER_SECOND: '1000000' };

function client(url = app.url): RawClient {
  const made = new RawClient(url);
  clients.push(made);
  return made;
}

describe('a body that arrives too slowly', () => {
  it.each([
    ['read whole', 'PATCH'],
    ['read in parts', 'POST'],
  ])('is rejected with 408: %s', async (_, method) => {
    const slow = client().read();
    slow.write(head(method, '/v1/things', { ...json, 'content-length': '1000000' }));
    slow.trickle(' ');
    await until(() => slow.isClosed);
    expect(slow.received).toMatch(/^HTTP\/1\.1 408 /);
    expect(slow.received).toContain('"/problems/request-timeout"');
    expect(slow.received).toMatch(/\r\nconnection: close\r\n/i);
  });

  it('is rejected when it does not arrive', async () => {
    const silent = client().read();
    silent.write(head('PATCH', '/v1/things', { ...json, 'content-length': '10' }));
    await until(() => silent.received.includes('408'));
  });

  it.each(['PATCH', 'POST'])(
    'is rejected though its gzip header never ends, so that it decodes to nothing: %s',
    async (method) => {
      const slow = client().read();
      slow.write(head(method, '/v1/things', gzip), chunk(gzipHeader));
      slow.trickle(chunk(Buffer.from('x')));
      await until(() => slow.isClosed);
      expect(slow.received).toMatch(/^HTTP\/1\.1 408 /);
    },
  );

  it('is rejected when it arrives fast and decodes to nothing', async () => {
    const fast = client().read();
    fast.write(head('POST', '/v1/things', gzip), chunk(gzipHeader));
    fast.trickle(chunk(Buffer.alloc(60_000, 'x')));
    await until(() => fast.received !== '');
    expect(fast.received).toMatch(/^HTTP\/1\.1 400 /);
    expect(fast.received).toContain('encoded as its headers say');
  });
});

describe('a response that is read too slowly', () => {
  it('is aborted despite constant progress: JSON', async () => {
    const slow = client();
    slow.write(head('GET', '/v1/large', {}));
    readSlowly(slow);
    await until(() => slow.isClosed);
    await until(async () => (await app.counted('/v1/large', 499)) === 1);
  });

  it('is aborted despite constant progress: rows', async () => {
    const rows = await startRowsApp({
      environment: { TRANSFER_GRACE_MS: '200', MIN_TRANSFER_BYTES_PER_SECOND: '1000000000' },
    });
    const slow = client(rows.url);
    slow.write(head('GET', '/v1/lists/a?rows=9999999', { accept: 'text/csv' }));
    readSlowly(slow);
    await until(() => rows.watched.get('a')?.ended === true);
    await until(async () => (await rows.counted('/v1/lists/{name}', 499)) === 1);
    await rows.close();
  });
});

/** Reads a part of it at intervals. */
function readSlowly({ socket }: RawClient): void {
  socket.on('data', () => {
    socket.pause();
    setTimeout(() => socket.resume(), 50).unref();
  });
}
