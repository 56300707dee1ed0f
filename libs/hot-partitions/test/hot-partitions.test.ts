import { explainPartition } from '@engawa/heat';
import { expectResponse } from '@engawa/http';
import { aPartition, hotOne, HotPartitionApps, throttled } from './hot-partition-apps.ts';
import type { OpenApiDocument } from '@engawa/http';
import type { StartedApp } from './start-app.ts';

const started = new HotPartitionApps();
const busy = Array.from({ length: 99 }, (_, index) =>
  aPartition({ partition: `DEVICE#busy-${index}`, utilization: 0.69 - index / 1000 }),
);
let app: StartedApp;
let contract: OpenApiDocument;

beforeAll(async () => {
  app = await started.app([...busy, hotOne]);
  contract = await app.contract();
});
afterAll(() => started.close());

async function ask(path: string) {
  const answer = await fetch(app.url + path);
  const body = (await expectResponse(contract, answer)) as { partitions: { partition: string }[] };
  return { status: answer.status, headers: answer.headers, body };
}

describe('GET /v1/hot-partitions', () => {
  it('lists the hot key first, with all its fields, and the throttling reasons', async () => {
    const { headers, body } = await ask('/v1/hot-partitions');
    expect(body).toEqual({
      process: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      windowSeconds: 10,
      limits: { read: 3000, write: 1000 },
      keys: 'shown',
      restrictedToPlaces: false,
      partitions: [hotOne, ...busy.slice(0, 19)].map(explainPartition),
      throttling: [throttled],
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it.each(['/v1/hot-partitions', '/v1/hot-partitions/merged'])(
    'lists the requested number of keys, or only hot ones: %s',
    async (path) => {
      const names = async (query: string) =>
        (await ask(path + query)).body.partitions.map(({ partition }) => partition);
      expect(await names('?limit=1')).toEqual(['LIST#DEVICE#0']);
      expect(await names('?limit=2&hot=false')).toEqual(['LIST#DEVICE#0', 'DEVICE#busy-0']);
      expect(await names('?limit=100')).toHaveLength(100);
      expect(await names('?limit=100&hot=true')).toEqual(['LIST#DEVICE#0']);
    },
  );

  it('lists a key as hot that has reached its share of the limit, too', async () => {
    const warm = [0.69, 0.7, 1.2].map((utilization) =>
      aPartition({ partition: `DEVICE#${utilization}`, utilization }),
    );
    const other = await started.app(warm);
    const answer = await fetch(`${other.url}/v1/hot-partitions?hot=true`);
    expect(await answer.json()).toMatchObject({
      partitions: [{ utilization: 1.2 }, { utilization: 0.7 }],
    });
  });

  it.each([
    ['limit=0', 'query.limit'],
    ['limit=101', 'query.limit'],
    ['limit=-1', 'query.limit'],
    ['limit=1e1', 'query.limit'],
    ['limit=', 'query.limit'],
    ['limit=1&limit=2', 'query.limit'],
    ['hot=yes', 'query.hot'],
    ['hot=', 'query.hot'],
    ['hot=true&hot=true', 'query.hot'],
    ['cursor=x', 'query.cursor'],
    ['__proto__=1', 'query.__proto__'],
    ['url=http%3A%2F%2F127.0.0.1', 'query.url'],
    ['limit=%ff', 'query'],
  ])('refuses ?%s', async (query, path) => {
    for (const address of ['/v1/hot-partitions', '/v1/hot-partitions/merged']) {
      const { status, body } = await ask(`${address}?${query}`);
      expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ path }] } });
    }
  });
});

describe('GET /v1/hot-partitions/merged without peers', () => {
  it('is the report of this process', async () => {
    const { body: own } = await ask('/v1/hot-partitions');
    const { headers, body } = await ask('/v1/hot-partitions/merged');
    const { process, ...report } = own as object & { process?: string };
    expect(body).toEqual({ ...report, processes: [{ answered: true, process }] });
    expect(headers.get('cache-control')).toBe('no-store');
  });
});
