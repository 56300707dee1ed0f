import { z } from 'zod';
import { integerParameter } from '../src/request/integer-parameter.ts';
import { route } from '../src/route/route.ts';
import { startApp } from './start-app.ts';
import { TokenIssuer, until } from '@engawa/testing';
import type { StartedApp } from './start-app.ts';

/** The values of the elements that were serialized so far, by client. */
let serialized: Record<string, number>;
let app: StartedApp;
let issuer: TokenIssuer;
/** Pages in progress, and their maximum. */
let pages: { computing: number; most: number; release: PromiseWithResolvers<undefined> };

/** An element that takes as long as 20 values. */
class Element {
  readonly client: string;
  constructor(client: string) {
    this.client = client;
  }

  toJSON() {
    serialized[this.client] = (serialized[this.client] ?? 0) + 1;
    return 'x'.repeat(400);
  }
}

const large = route({
  method: 'get',
  path: '/v1/large',
  operationId: 'large',
  summary: 'Many elements',
  query: z.strictObject({ elements: integerParameter({ minimum: 1, maximum: 100_000 }) }),
  responses: { 200: { description: '', schema: z.strictObject({ items: z.array(z.string()) }) } },
  handle: ({ query, client }) => {
    const items = Array.from({ length: query.elements }, () => new Element(client));
    return { status: 200, body: { items } };
  },
});

const page = route({
  method: 'get',
  path: '/v1/pages',
  operationId: 'pages',
  summary: 'A page that needs much memory',
  responses: { 200: { description: '', schema: z.strictObject({}) } },
  handle: ({ work }) =>
    work.holdPage(async () => {
      pages.computing += 1;
      pages.most = Math.max(pages.most, pages.computing);
      await pages.release.promise;
      pages.computing -= 1;
      return { status: 200 as const, body: {} };
    }),
});

const small = route({
  method: 'get',
  path: '/v1/small',
  operationId: 'small',
  summary: 'Next to nothing',
  responses: { 200: { description: '', schema: z.strictObject({}) } },
  handle: () => ({ status: 200, body: {} }),
});

beforeEach(async () => {
  serialized = {};
  pages = { computing: 0, most: 0, release: Promise.withResolvers() };
  issuer = await TokenIssuer.start();
  app = await startApp({ routes: [large, page, small], environment: issuer.environment });
});
afterEach(async () => {
  pages.release.resolve(undefined);
  await app.close();
  await issuer.close();
});

async function get(client: string, path: string, signal?: AbortSignal): Promise<string> {
  const token = await issuer.token({ sub: client, scope: 'sample:read' });
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(app.url + path, { headers, ...(signal && { signal }) });
  expect(answer.status).toBe(200);
  return answer.text();
}

const of = (client: string) => serialized[`subject ${client}`] ?? 0;

describe('a response with very many elements', () => {
  it('is serialized in slices, between which other requests are answered', async () => {
    const elements = 20_000;
    const answer = get('greedy', `/v1/large?elements=${elements}`);
    let isBetween = false;
    while (of('greedy') < elements) {
      await get('other', '/v1/small');
      isBetween ||= of('greedy') > 0 && of('greedy') < elements;
    }
    expect(isBetween).toBe(true);
    expect(JSON.parse(await answer)).toEqual({
      items: Array.from({ length: elements }, () => 'x'.repeat(400)),
    });
  });

  it('delays another client only by that client’s share', async () => {
    const [elements, requests] = [20_000, 10];
    await get('other', '/v1/small');
    const answers = Array.from({ length: requests }, () =>
      get('greedy', `/v1/large?elements=${elements}`),
    );
    await until('the first slices', () => of('greedy') > 0);
    await get('other', '/v1/large?elements=5000');
    // In the order of arrival, all responses of the greedy client would come first.
    expect(of('greedy')).toBeLessThan(elements * requests);
    await Promise.all(answers);
    expect(of('greedy')).toBe(elements * requests);
  });

  it('is not serialized further for a client that has disconnected', async () => {
    const client = new AbortController();
    const answer = get('greedy', '/v1/large?elements=100000', client.signal);
    await until('the first slices', () => of('greedy') > 0);
    client.abort();
    await expect(answer).rejects.toThrow();
    await until('the end', async () => (await app.counted('/v1/large', 499)) === 1);
    const after = of('greedy');
    await get('other', '/v1/large?elements=5000');
    expect(of('greedy')).toBe(after);
    expect(after).toBeLessThan(100_000);
  });
});

describe('pages that need much memory', () => {
  it('are computed a few at a time, and another client does not wait for those of the first', async () => {
    const first = Array.from({ length: 20 }, () => get('greedy', '/v1/pages'));
    await until('the share of a client', () => pages.computing === 4);
    const other = get('other', '/v1/pages');
    await until('the page of another client', () => pages.computing === 5);
    await get('greedy', '/v1/small'); // has passed all guards by now, and so have the waiting ones
    expect(pages.computing).toBe(5);
    pages.release.resolve(undefined);
    await Promise.all([...first, other]);
    expect(pages.most).toBeLessThanOrEqual(6);
    expect(pages.computing).toBe(0);
  });

  it('leave the queue when their client disconnects', async () => {
    const client = new AbortController();
    const first = Array.from({ length: 4 }, () => get('greedy', '/v1/pages'));
    await until('the share of a client', () => pages.computing === 4);
    const waiting = get('greedy', '/v1/pages', client.signal);
    await get('greedy', '/v1/small');
    client.abort();
    await expect(waiting).rejects.toThrow();
    await until('the end', async () => (await app.counted('/v1/pages', 499)) === 1);
    pages.release.resolve(undefined);
    await Promise.all(first);
    expect(pages.most).toBe(4);
  });
});
