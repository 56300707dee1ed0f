import { expectResponse } from '@engawa/http';
import { HistoryApps, aHistory, aRow, start } from './history-apps.ts';
import type { HeatHistoryReport } from '@engawa/heat';
import type { StartedApp } from './start-app.ts';

const started = new HistoryApps();
afterEach(() => started.close());

type Answer = HeatHistoryReport & {
  process?: string;
  processes?: { url?: string; answered: boolean; process?: string; why?: string }[];
};

/** Checked against the OpenAPI document. */
async function ask(app: StartedApp, query = '', headers: Record<string, string> = {}) {
  const answer = await fetch(`${app.url}/v1/hot-partitions/history${query}`, { headers });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  return (await expectResponse(await app.contract(), answer)) as Answer;
}

const device = aRow('DEVICE#a', [{ first: 3, values: [10, 0.5] }]);
const room = aRow('ROOM#home#hall', [{ first: 0, values: [1] }], { kind: 'room' });
const others = aRow('DEVICE', [{ first: 1, values: [2, 2] }], { merged: true, family: 'DEVICE' });
const reshards = [{ time: start, family: 'LIST#DEVICE', from: 1, to: 2 }];
const unitsOf = (rows: Answer['rows']) =>
  rows.flatMap(({ writes }) => writes.flatMap(({ values }) => values)).reduce((a, b) => a + b, 0);
const names = ({ rows }: Answer) => rows.map(({ partition }) => partition);

describe('GET /v1/hot-partitions/history', () => {
  it('has the rows of this process, the busiest first, and the reshards', async () => {
    const app = await started.app(aHistory([room, others, device], { reshards }));
    expect(await ask(app)).toEqual({
      process: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      ...aHistory([device, others, room], { reshards }),
    });
  });

  it('reads the requested columns', async () => {
    const app = await started.app(aHistory([]));
    await ask(app);
    await ask(app, '?resolution=minute&from=2026-11-20T09:00:30Z');
    const fromMs = Date.parse('2026-11-20T09:00:30Z');
    expect(app.requests).toEqual([{ resolution: 'second' }, { resolution: 'minute', fromMs }]);
  });

  it('adds the least busy keys to their kind beyond the limit', async () => {
    const busy = Array.from({ length: 9 }, (_, at) =>
      aRow(`DEVICE#${at}`, [{ first: 0, values: [20 + at] }]),
    );
    const app = await started.app(aHistory([...busy, others]));
    const answer = await ask(app, '?limit=3');
    expect(names(answer)).toEqual(['DEVICE', 'DEVICE#8', 'DEVICE#7']);
    const all = busy.slice(0, 7).reduce((sum, { writes }) => sum + (writes[0]?.values[0] ?? 0), 0);
    expect(answer.rows[0]?.writes).toEqual([{ first: 0, values: [all, 2, 2] }]);
  });

  it('adds the least busy keys to their kind where the rows exceed RESPONSE_BYTE_LIMIT', async () => {
    const busy = Array.from({ length: 300 }, (_, at) =>
      aRow(`DEVICE#${at}`, [{ first: 0, values: Array.from({ length: 200 }, () => 20 + at) }]),
    );
    const history = aHistory(busy, { columns: 200 });
    const environment = { RESPONSE_BYTE_LIMIT: '20000' };
    for (const path of ['', '/merged']) {
      const answer = await ask(await started.app(history, { environment }), path);
      expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(21_000);
      expect(answer.rows.length).toBeGreaterThan(5);
      expect(answer.rows.filter(({ merged }) => merged)).toHaveLength(1);
      expect(unitsOf(answer.rows)).toBe(unitsOf(busy));
    }
  });

  it.each([
    ['limit=0', 'query.limit'],
    ['limit=1501', 'query.limit'],
    ['resolution=hour', 'query.resolution'],
    ['from=x', 'query.from'],
    ['to=now', 'query.to'],
  ])('refuses ?%s', async (query, path) => {
    const app = await started.app(aHistory([]));
    for (const address of ['history', 'history/merged']) {
      const answer = await fetch(`${app.url}/v1/hot-partitions/${address}?${query}`);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ errors: [{ path }] });
    }
  });

  it('shows a restricted caller the keys of its places only', async () => {
    const issuer = await started.issuer();
    const environment = { ...issuer.environment, AUTH_PLACES_CLAIM: 'places' };
    const garden = aRow('ROOM#other#garden', [{ first: 0, values: [5] }], { kind: 'room' });
    const history = aHistory([device, room, garden, others], { reshards });
    const app = await started.app(history, { environment });
    const token = await issuer.token({ scope: 'sample:read', places: ['home'] });
    const headers = { authorization: `Bearer ${token}` };
    for (const path of ['', '/merged']) {
      expect(await ask(app, path, headers)).toMatchObject({ rows: [room], reshards: [] });
    }
    const hashed = await started.app({ ...history, keys: 'hashed' }, { environment });
    expect(await ask(hashed, '', headers)).toMatchObject({ rows: [] });
  });
});

describe('GET /v1/hot-partitions/history/merged', () => {
  it('is the history of this process without peers', async () => {
    const app = await started.app(aHistory([device, others], { reshards }));
    const { process, ...own } = await ask(app);
    expect(await ask(app, '/merged')).toEqual({ ...own, processes: [{ answered: true, process }] });
  });

  it('adds up the columns of several processes, in any order', async () => {
    const later = new Date(Date.parse(start) + 2000).toISOString();
    const apps = [
      await started.app(aHistory([device, others], { reshards })),
      await started.app(aHistory([device, room], { start: later })),
      await started.app(aHistory([others], { reshards })),
    ];
    const peers = apps.map(({ url }) => url);
    const expected = [
      aRow('DEVICE#a', [{ first: 3, values: [10, 0.5, 10, 0.5] }]),
      aRow('DEVICE', [{ first: 1, values: [4, 4] }], { merged: true, family: 'DEVICE' }),
      aRow('ROOM#home#hall', [{ first: 2, values: [1] }], { kind: 'room' }),
    ];
    for (const given of [peers, peers.toReversed()]) {
      const app = await started.app(aHistory([]), { peers: given });
      const { processes, ...merged } = await ask(app, '/merged');
      expect(merged).toEqual(aHistory(expected, { reshards }));
      expect(processes).toMatchObject(given.map((url) => ({ url, answered: true })));
    }
  });

  it('counts a process with two names once, and requests its columns with the token', async () => {
    const issuer = await started.issuer();
    const { environment } = issuer;
    const peers: string[] = [];
    const app = await started.app(aHistory([device]), { peers, environment });
    peers.push(app.url, app.url.replace('127.0.0.1', 'localhost'));
    const headers = { authorization: `Bearer ${await issuer.token({ scope: 'sample:read' })}` };
    const { rows } = await ask(app, '/merged?resolution=second&limit=7', headers);
    expect(rows).toEqual([device]);
    const [own, ...asked] = app.requests;
    expect(own).toEqual({ resolution: 'second' });
    expect(new Set(asked.map(({ fromMs }) => fromMs))).toEqual(new Set([Date.parse(start)]));
  });

  it('lists peers without a history and the reason, and merges the other histories', async () => {
    const good = await started.app(aHistory([device]));
    const older = await started.olderApp();
    const body = (more: object) =>
      JSON.stringify({ process: 'x', ...aHistory([device]), ...more, rows: [device], x: 1 });
    const plenty = `"${'x'.repeat(16_000_001)}"`;
    const bad: [string, string][] = [
      [older.url, 'its version has no history of hot partitions'],
      [await started.server((_, response) => response.end('{}')), 'its response is not a report'],
      [
        await started.server((_, response) => response.end(body({ columns: -1 }))),
        'its response is not a report',
      ],
      [
        await started.server((_, response) => response.end(plenty)),
        'its response has more than 16 MB',
      ],
      [await started.server((_, response) => response.writeHead(401).end()), 'its status is 401'],
      ['http://127.0.0.1:1', 'the request failed (ECONNREFUSED)'],
    ];
    const later = await started.server((_, response) => response.end(body({ mood: 'good' })));
    const peers = [...bad.map(([url]) => url), good.url, later];
    const { rows, processes } = await ask(await started.app(aHistory([]), { peers }), '/merged');
    expect(rows).toEqual([aRow('DEVICE#a', [{ first: 3, values: [20, 1] }])]);
    expect(processes).toMatchObject([
      ...bad.map(([url, why]) => ({ url, answered: false, why })),
      { url: good.url, answered: true },
      { url: later, answered: true, process: 'x' },
    ]);
  });

  it('limits the memory for the responses of all peers', async () => {
    const large = JSON.stringify({ process: 'x', ...aHistory([]), x: 'x'.repeat(15_900_000) });
    const server = () => started.server((_, response) => response.end(large));
    const peers = await Promise.all(Array.from({ length: 6 }, server));
    const { processes = [] } = await ask(await started.app(aHistory([]), { peers }), '/merged');
    const answered = processes.filter((one) => one.answered);
    expect(answered.length).toBeLessThanOrEqual(4);
    for (const { answered, why } of processes) {
      if (!answered) expect(why).toMatch(/together are too large|did not respond in time/);
    }
  });
});
