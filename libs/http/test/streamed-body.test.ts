import { once } from 'node:events';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { openBeforeAll } from '@engawa/testing';
import { expectResponse } from '../src/openapi/expect-response.ts';
import type { OpenApiDocument } from '../src/openapi/openapi-types.ts';
import { route } from '../src/route/route.ts';
import { startApp } from './start-app.ts';

const limit = 1_000_000;
const ndjson = 'application/x-ndjson';
/** The outcome of reading each body. */
const ends: unknown[] = [];

const upload = route({
  method: 'post',
  path: '/v1/upload',
  operationId: 'upload',
  summary: 'Counts bytes',
  query: z.strictObject({ ignore: z.literal('all').optional() }),
  streamed: { types: { 'application/json': z.unknown(), [ndjson]: z.object({}) }, maxBytes: limit },
  responses: {
    200: {
      description: 'How many',
      schema: z.strictObject({ type: z.string(), bytes: z.int() }),
    },
  },
  async handle({ stream: { type, chunks }, query }) {
    let bytes = 0;
    if (query.ignore === undefined) {
      try {
        for await (const chunk of chunks) bytes += chunk.length;
      } catch (error) {
        ends.push(error);
        throw error;
      }
    }
    return { status: 200, body: { type, bytes } };
  },
});

describe('a body that is read in parts', () => {
  const listening = openBeforeAll(() => startApp({ routes: [upload] }));
  let url: string;
  beforeAll(() => {
    url = listening.url;
  });

  async function post(
    body: RequestInit['body'],
    headers: Record<string, string> = { 'content-type': ndjson },
    query = '',
  ): Promise<unknown> {
    const contract = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
    const answer = await fetch(`${url}/v1/upload${query}`, { method: 'POST', body, headers });
    return expectResponse(contract, answer, 'post');
  }
  const problem = (code: string) => ({ type: `/problems/${code}` });

  it('arrives complete, with its media type', async () => {
    const text = Buffer.alloc(limit, 'x');
    expect(await post(text)).toEqual({ type: ndjson, bytes: limit });
    const json = { 'content-type': 'application/json; charset=utf-8' };
    expect(await post('{}', json)).toEqual({ type: 'application/json', bytes: 2 });
  });

  it.each(['gzip', 'identity'])('is decoded from %s', async (encoding) => {
    const body = encoding === 'gzip' ? gzipSync('hello') : 'hello';
    const headers = { 'content-type': ndjson, 'content-encoding': encoding };
    expect(await post(body, headers)).toEqual({ type: ndjson, bytes: 5 });
  });

  it('is rejected in other encodings, and when it does not match its encoding', async () => {
    const encoded = (encoding: string) => ({
      'content-type': ndjson,
      'content-encoding': encoding,
    });
    expect(await post('x', encoded('zstd'))).toMatchObject(problem('unsupported-media-type'));
    expect(await post('x', encoded('gzip'))).toMatchObject(problem('invalid-request'));
    const half = gzipSync(Buffer.alloc(100_000, 'abc')).subarray(0, 50);
    expect(await post(half, encoded('gzip'))).toMatchObject(problem('invalid-request'));
  });

  it('is rejected when it is missing, or of another media type', async () => {
    expect(await post(null, {})).toMatchObject(problem('invalid-request'));
    expect(await post('x', { 'content-type': 'text/csv' })).toMatchObject(
      problem('unsupported-media-type'),
    );
  });

  it('is rejected when it exceeds the maximum, also after decoding', async () => {
    const large = Buffer.alloc(limit + 1, 'x');
    const chunked = ReadableStream.from([large]) as unknown as RequestInit['body'];
    const answer = await fetch(`${url}/v1/upload`, {
      method: 'POST',
      headers: { 'content-type': ndjson },
      body: chunked ?? null,
      duplex: 'half',
    });
    expect(answer.status).toBe(413);
    const headers = { 'content-type': ndjson, 'content-encoding': 'gzip' };
    expect(await post(gzipSync(large), headers)).toMatchObject(problem('payload-too-large'));
  });

  it('is rejected at once when its declared length exceeds the maximum', async () => {
    const headers = { 'content-type': ndjson, 'content-length': String(limit + 1) };
    const client = request(`${url}/v1/upload`, { method: 'POST', headers });
    client.on('error', () => undefined);
    client.flushHeaders();
    const [answer] = (await once(client, 'response')) as [{ statusCode: number }];
    expect(answer.statusCode).toBe(413); // before any byte of the body was sent
    client.destroy();
  });

  it('leaves the response and the connection intact when it is not read', async () => {
    const text = Buffer.alloc(limit, 'x');
    for (let time = 0; time < 3; time++) {
      expect(await post(text, undefined, '?ignore=all')).toEqual({ type: ndjson, bytes: 0 });
    }
  });

  it('ends for the reader when the client disconnects', async () => {
    ends.length = 0;
    const client = request(`${url}/v1/upload`, {
      method: 'POST',
      headers: { 'content-type': ndjson, 'content-encoding': 'gzip' },
    });
    client.on('error', () => undefined);
    client.write(gzipSync(Buffer.alloc(100_000, 'abc')).subarray(0, 50));
    await new Promise((resolve) => client.write('', resolve));
    client.destroy();
    while (ends.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(ends).toMatchObject([{ code: 'invalid-request' }]);
  });
});
