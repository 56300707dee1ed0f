import { gzipSync } from 'node:zlib';
import { problemTypes } from '@engawa/errors';
import fc from 'fast-check';
import { openBeforeAll } from '@engawa/testing';
import { problemSchema, statusOf } from '../src/response/problem-response.ts';
import { startSample } from './sample-app.ts';

const sample = openBeforeAll(startSample);

async function problem(path: string, init?: RequestInit) {
  const answer = await fetch(sample.url + path, init);
  expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  const body = problemSchema.parse(await answer.json());
  expect(body.status).toBe(answer.status);
  expect(body.requestId).toBe(answer.headers.get('x-request-id'));
  const code = body.type.replace('/problems/', '');
  return { ...body, code, headers: answer.headers, paths: body.errors?.map(({ path: at }) => at) };
}

const patch = (body: RequestInit['body'], headers: Record<string, string> = {}) =>
  problem('/v1/devices/a', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });

describe('paths and methods', () => {
  it.each(['/', '/v1', '/v1/devices/', '/V1/devices', '/v1//devices', '/docs/', '/favicon.ico'])(
    '%s is not found',
    async (path) => {
      expect(await problem(path)).toMatchObject({ status: 404, code: 'route-not-found' });
    },
  );

  it.each([
    ['/v1/devices/a', 'DELETE', 'GET, PATCH, HEAD'],
    ['/v1/devices', 'POST', 'GET, HEAD'],
    ['/openapi.json', 'OPTIONS', 'GET, HEAD'],
  ])('%s does not allow %s', async (path, method, allowed) => {
    const refused = await problem(path, { method });
    expect(refused).toMatchObject({ status: 405, code: 'method-not-allowed' });
    expect(refused.headers.get('allow')).toBe(allowed);
  });

  it.each(['%', '%zz', '%ff', '%c3%28', 'a%e0%80'])(
    '/v1/devices/%s is an invalid path',
    async (id) => {
      expect(await problem(`/v1/devices/${id}`)).toMatchObject({ status: 400, paths: ['path'] });
    },
  );
});

describe('queries', () => {
  it('lists all field errors at once, each with its path and a message', async () => {
    const refused = await problem('/v1/devices?limit=0&cursor=&from=ten&colour=red&to=1&to=2');
    expect(refused.code).toBe('invalid-request');
    expect(refused.errors).toEqual([
      {
        path: 'query.colour',
        message: 'is unknown; this route has only the parameters limit, cursor, from, to',
      },
      { path: 'query.to', message: 'must be given once, not 2 times' },
      { path: 'query.limit', message: 'must be at least 1' },
      { path: 'query.cursor', message: 'must not be empty' },
      { path: 'query.from', message: 'must be a whole number' },
    ]);
    expect(refused.detail).toContain('query.colour is unknown');
    expect(refused.detail).toMatch(/; and 2 more\.$/);
  });

  it('uses the message of a schema where it has one', async () => {
    const refused = await problem('/v1/devices?from=5&to=4');
    expect(refused.detail).toBe('query.from must not be over query.to.');
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', '', 'limit[]', 'limit%00'])(
    'rejects the unknown parameter %j',
    async (name) => {
      const refused = await problem(`/v1/devices?${name}=1`);
      expect(refused.status).toBe(400);
      expect(refused.errors?.[0]?.message).toMatch(/^is unknown/);
    },
  );

  it.each(['', ' 5', '5.0', '0x10', '1e2', '+5', '９', 'NaN', '99999999999999999999', '1001'])(
    'rejects %j as a limit',
    async (limit) => {
      const refused = await problem(`/v1/devices?limit=${encodeURIComponent(limit)}`);
      expect(refused.paths).toEqual(['query.limit']);
    },
  );

  it('accepts a repeated list parameter up to its maximum', async () => {
    const answer = await fetch(`${sample.url}/v1/latest?device=a&field=x&device=b%2Cc`);
    expect(await answer.json()).toEqual({ device: ['a', 'b,c'], field: ['x'] });
    expect((await problem('/v1/latest?device=a&device=')).errors).toEqual([
      { path: 'query.device[1]', message: 'must not be empty' },
    ]);
    expect((await problem('/v1/latest?device=a&device=b&device=c&device=d')).errors).toEqual([
      { path: 'query.device', message: 'must have at most 3 elements' },
    ]);
    expect((await problem('/v1/latest?field=x')).errors).toEqual([
      { path: 'query.device', message: 'is required' },
    ]);
  });

  it('rejects a query that is not UTF-8', async () => {
    expect((await problem('/v1/devices?cursor=%ff')).paths).toEqual(['query']);
  });
});

describe('bodies', () => {
  it('lists field errors of path, query and body together', async () => {
    const refused = await problem(`/v1/devices/${'x'.repeat(101)}?a=1`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{"labels":[1,"2"],"constructor":1,"__proto__":{"polluted":true}}',
    });
    expect(refused.errors).toEqual([
      { path: 'path.id', message: 'must have at most 100 characters' },
      { path: 'query.a', message: 'is unknown; this route has no parameters' },
      { path: 'body.name', message: 'is required' },
      { path: 'body.labels[1]', message: 'must be a number' },
      { path: 'body.constructor', message: 'is unknown' },
      { path: 'body.__proto__', message: 'is unknown' },
    ]);
  });

  it.each([
    ['{"name":', 'is not valid JSON'],
    ['{"name":1 secret}', 'is not valid JSON; the error is at character 10'],
    ['', 'is required'],
    ['"text"', 'must be an object'],
    ['[]', 'must be an object'],
    ['null', 'must be an object'],
    [new Uint8Array([0x7b, 0xff, 0x7d]), 'is not valid UTF-8'],
    ['['.repeat(900_000), 'is not valid JSON'],
  ])('refuses %.20j', async (body, message) => {
    expect(await patch(body)).toMatchObject({ status: 400, errors: [{ path: 'body', message }] });
  });

  it('is required', async () => {
    const refused = await problem('/v1/devices/a', { method: 'PATCH' });
    expect(refused.errors).toEqual([{ path: 'body', message: 'is required' }]);
  });

  it('accepts a byte order mark', async () => {
    const answer = await fetch(`${sample.url}/v1/devices/a`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '\uFEFF{"name":"same"}',
    });
    expect(answer.status).toBe(204);
  });

  it('lists a limited number of field errors', async () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`f${index}`, 1]));
    const refused = await patch(JSON.stringify({ name: 'a', ...many }));
    expect(refused.errors).toHaveLength(100);
    expect(refused.detail).toMatch(/and 4997 more\.$/);
  });

  it('rejects other media types and encodings', async () => {
    const code = 'unsupported-media-type';
    expect(await patch('a=1', { 'content-type': 'text/plain' })).toMatchObject({ code });
    expect(await patch('{}', { 'content-encoding': 'made-up' })).toMatchObject({ code });
  });

  it('rejects more than a megabyte, also when compressed', async () => {
    const large = { status: 413, code: 'payload-too-large' };
    const text = JSON.stringify({ name: 'x'.repeat(1_000_001) });
    expect(await patch(text)).toMatchObject(large);
    expect(await patch(gzipSync(text), { 'content-encoding': 'gzip' })).toMatchObject(large);
    expect(await patch('no gzip', { 'content-encoding': 'gzip' })).toMatchObject({ status: 400 });
  });
});

describe('problems of a handler', () => {
  it('have their status, and Retry-After with 503', async () => {
    expect(await problem('/v1/devices/nobody')).toMatchObject({
      status: 404,
      title: problemTypes['device-not-found'].title,
      detail: 'There is no device nobody.',
    });
    const busy = await problem('/v1/devices/hot');
    expect(busy.status).toBe(503);
    expect(Number(busy.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('log their cause once, under the request id, and do not send it', async () => {
    const refused = await problem('/v1/devices/broken');
    expect(refused).toMatchObject({ status: 500, code: 'internal' });
    expect(JSON.stringify(refused)).not.toContain('secret');
    const logged = sample.lines.filter(({ requestId }) => requestId === refused.requestId);
    expect(logged).toEqual([
      expect.objectContaining({
        level: 50,
        err: expect.objectContaining({ message: 'secret of the cause' }) as unknown,
      }),
    ]);
  });

  it('have a page each, at their type', async () => {
    for (const code of Object.keys(problemTypes) as (keyof typeof problemTypes)[]) {
      const page = await fetch(`${sample.url}/problems/${code}`);
      expect(await page.json()).toEqual({
        type: `/problems/${code}`,
        status: statusOf[code],
        ...problemTypes[code],
      });
    }
    expect(await problem('/problems/constructor')).toMatchObject({ code: 'route-not-found' });
  });
});

describe('any path and query', () => {
  const name = fc.constantFrom('limit', 'cursor', 'from', '__proto__', 'constructor', 'x');
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }).map(encodeURIComponent),
    fc.stringMatching(/^[!-"$-;=?-~]{0,20}$/), // raw, with broken percent-encoding, `?` and `&`
    fc.integer().map(String),
  );
  const query = fc.array(
    fc.tuple(name, value).map((pair) => pair.join('=')),
    { maxLength: 4 },
  );
  const path = fc.oneof(
    value.map((id) => `/v1/devices/${id}`),
    fc.constant('/v1/devices'),
    value.map((text) => `/${text}`),
  );

  it('gets a success or a 4xx problem, never a 5xx', async () => {
    await fc.assert(
      fc.asyncProperty(path, query, async (at, parameters) => {
        const url = `${sample.url}${at}?${parameters.join('&')}`;
        const { status } = await fetch(url, { redirect: 'manual' }).then(async (answer) => {
          await answer.arrayBuffer();
          return answer;
        });
        expect([200, 400, 404]).toContain(status);
      }),
      { numRuns: 300 },
    );
  });
});
