import { createClient, ProblemError } from '../src/index.ts';
import {
  ScriptedServer,
  breaksOff,
  breaksOffLate,
  says,
  saysHtml,
  saysNothing,
} from './scripted-server.ts';

let server: ScriptedServer;
beforeAll(async () => (server = await ScriptedServer.start()));
afterAll(() => server.close());

const client = (options = {}) => createClient({ url: server.url, ...options });
const page = { items: [] };
const busy = (headers: Record<string, string> = { 'retry-after': '0' }) =>
  says(
    503,
    { type: '/problems/table-throttled', title: 'Busy', status: 503, detail: 'Later.' },
    headers,
  );
const conflict = (type = 'too-many-conflicts') =>
  says(
    409,
    { type: `/problems/${type}`, title: 'Conflict', status: 409, detail: 'Later.' },
    { 'retry-after': '0' },
  );
const song = { type: 'Song', id: '1', body: { attributes: { title: 'Heroes' } } };

describe('a request', () => {
  it.each(['.', '..'])(
    'is not sent for the id %s, which a URL resolves to another path',
    async (id) => {
      const { catalog } = client();
      await expect(catalog.getEntity({ type: 'Song', id })).rejects.toThrow(`id must not be ${id}`);
      expect(server.seen).toEqual([]);
    },
  );

  it('puts each parameter in its place', async () => {
    server.will(says(200, page));
    const { query, catalog } = client({ token: () => Promise.resolve('secret') });
    await query.getAggregates({ id: 'a#b/ü', from: '2026-11-01', fn: ['avg', 'max'], fields: 'x' });
    await catalog.searchEntities({ type: 'Song', name: 'byTitle', eq: ['a', 'b'], whole: true });
    await catalog.putEntity({ ...song, ifMatch: '"3-x"' });
    expect(server.seen).toMatchObject([
      {
        method: 'GET',
        url: '/v1/devices/a%23b%2F%C3%BC/aggregates?from=2026-11-01&fn=avg%2Cmax&fields=x',
        headers: { authorization: 'Bearer secret' },
      },
      { url: '/v1/search/Song/byTitle?eq=a&eq=b&whole=true' },
      {
        method: 'PUT',
        headers: { 'if-match': '"3-x"', 'content-type': 'application/json' },
        body: '{"attributes":{"title":"Heroes"}}',
      },
    ]);
  });

  it('writes a bigint with all its digits', async () => {
    server.will(says(200, {}));
    const body = { attributes: { n: 12345678901234567890n as unknown as number } };
    await client().catalog.putEntity({ ...song, body });
    expect(server.seen[0]?.body).toBe('{"attributes":{"n":12345678901234567890}}');
  });

  it("parses numbers with the caller's parser", async () => {
    server.will((response) => response.end('{"items":[1e400]}'));
    const { query } = client({ parseJson: (text: string) => ({ items: [text] }) });
    expect((await query.getLatest({ id: 'a' })).body).toEqual({ items: ['{"items":[1e400]}'] });
  });

  it('requests the next page after the previous one was consumed', async () => {
    server.will(says(200, { items: [1, 2], cursor: 'next' }), says(200, { items: [3] }));
    const items = client().query.getReadings.items({ id: 'a', limit: 2 });
    const taken: unknown[] = [];
    for await (const item of items) {
      taken.push([item, server.seen.length]);
    }
    expect(taken).toEqual([
      [1, 1],
      [2, 1],
      [3, 2],
    ]);
    expect(server.seen[1]?.url).toBe('/v1/devices/a/readings?limit=2&cursor=next');
  });
});

describe('a refusal', () => {
  it('is an error with type, status and detail', async () => {
    const errors = [{ path: 'query.limit', message: 'must be at most 1000' }];
    const problem = { type: '/problems/invalid-request', title: 'The request is not valid' };
    server.will(
      says(400, { ...problem, status: 400, detail: 'Too much.', requestId: 'r', errors }),
    );
    const refused = client().query.getLatest({ id: 'a' });
    await expect(refused).rejects.toBeInstanceOf(ProblemError);
    await expect(refused).rejects.toMatchObject({
      type: 'invalid-request',
      status: 400,
      detail: 'Too much.',
      requestId: 'r',
      errors,
      message: '400 The request is not valid: Too much.',
    });
  });

  it.each([200, 502])('may come from a proxy, with status %i', async (status) => {
    server.will(saysHtml(status));
    await expect(client().query.getLatest({ id: 'a' })).rejects.toMatchObject({
      type: 'unknown',
      status,
      title: 'The response is not of Engawa',
      detail: 'text/html, perhaps of a proxy: <html>Please sign in</html>',
    });
  });
});

describe('a request is retried', () => {
  it('when the service sends Retry-After', async () => {
    server.will(busy(), busy(), says(200, page));
    expect((await client().query.getReadings({ id: 'a' })).body).toEqual(page);
    expect(server.seen).toHaveLength(3);
  });

  it.each([
    ['', breaksOff],
    [' within the response', breaksOffLate],
  ])('when the connection breaks%s', async (_, breaks) => {
    server.will(breaks, says(200, page));
    expect((await client().query.getReadings({ id: 'a' })).body).toEqual(page);
    expect(server.seen).toHaveLength(2);
  });

  it('with any method, after 429', async () => {
    server.will(says(429, {}, { 'retry-after': '0' }), says(200, {}));
    await client().catalog.patchEntity(song);
    expect(server.seen).toHaveLength(2);
  });

  it('with any method that changes one resource, after a lost lock', async () => {
    const { catalog } = client();
    server.will(conflict(), says(200, {}), conflict(), says(200, {}));
    await catalog.patchEntity(song);
    await catalog.putEntity({ ...song, ifMatch: '"1"' });
    expect(server.seen).toHaveLength(4);
    // A bulk request may have written other entities.
    server.will(conflict(), conflict(), says(200, {}));
    await expect(catalog.createEntities({ body: [] })).rejects.toMatchObject({ status: 409 });
    await catalog.createEntities({ body: [], idempotencyKey: 'k' });
    expect(server.seen).toHaveLength(3);
  });

  it('with an Idempotency-Key, or with isSafeToRepeat', async () => {
    server.will(busy(), says(200, {}), busy(), says(200, {}));
    await client().catalog.createEntities({ body: [], idempotencyKey: 'k' });
    await client().catalog.patchEntity(song, { isSafeToRepeat: true });
    expect(server.seen).toHaveLength(4);
  });

  it('but not after another conflict, whose problem keeps its text', async () => {
    server.will(conflict('being-deleted'));
    const refused = client().catalog.putEntity(song);
    await expect(refused).rejects.toMatchObject({ type: 'being-deleted', detail: 'Later.' });
    expect(server.seen).toHaveLength(1);
  });

  it('and an update begins again from its read, after the last retry', async () => {
    const shelf = { name: 'Shelf', attributes: [{ name: 'width', kind: 'number' }] } as const;
    const stored = says(200, { id: '1', attributes: { width: 1 } }, { etag: '"1"' });
    server.will(stored, conflict(), conflict(), stored, says(200, {}));
    await client({ maxRetries: 1 })
      .entities(shelf)
      .update('1', () => ({ attributes: { width: 2 } }));
    expect(server.seen.map(({ method }) => method)).toEqual([
      'GET',
      'PATCH',
      'PATCH',
      'GET',
      'PATCH',
    ]);
  });

  it.each([
    ['not beyond the maximum number of retries', busy(), { maxRetries: 2 }, 3],
    ['not without Retry-After', busy({}), {}, 1],
    ['not when Retry-After exceeds the maximum wait', busy({ 'retry-after': '60' }), {}, 1],
  ])('but %s', async (_, answer, options, requests) => {
    server.will(answer);
    const asked = client(options).query.getLatest({ id: 'a' });
    await expect(asked).rejects.toMatchObject({ type: 'table-throttled' });
    expect(server.seen).toHaveLength(requests);
  });

  it('but not when a retry could take effect twice, or fail with 412 after a success', async () => {
    const { catalog } = client();
    for (const answer of [busy(), breaksOff, breaksOffLate]) {
      server.will(answer);
      await expect(catalog.patchEntity(song)).rejects.toThrow();
      await expect(catalog.createEntities({ body: [] })).rejects.toThrow();
      await expect(catalog.putEntity({ ...song, ifMatch: '"1"' })).rejects.toThrow();
      await expect(catalog.putEntity({ ...song, ifNoneMatch: '*' })).rejects.toThrow();
      expect(server.seen).toHaveLength(4);
    }
  });
});

describe('a request ends', () => {
  it("with the reason of the caller's signal, also during a wait", async () => {
    for (const answer of [saysNothing, busy({ 'retry-after': '20' })]) {
      const stop = new AbortController();
      server.will((response) => {
        answer(response);
        setImmediate(() => stop.abort(new Error('enough')));
      });
      const asked = client().query.getLatest({ id: 'a' }, { signal: stop.signal });
      await expect(asked).rejects.toThrow('enough');
    }
  });

  it('after its timeout', async () => {
    server.will(saysNothing);
    const asked = client({ timeoutMs: 20 }).query.getLatest({ id: 'a' });
    await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('never without one: no timer outlives the request', async () => {
    const signals: unknown[] = [];
    const { signal } = new AbortController();
    const record: typeof fetch = (input, init) => {
      signals.push(init?.signal);
      return fetch(input, init);
    };
    const { query } = client({ timeoutMs: Infinity, fetch: record });
    server.will(says(200, page));
    await query.getLatest({ id: 'a' });
    await query.getLatest({ id: 'a' }, { signal });
    expect(signals).toEqual([undefined, signal]);
  });
});
