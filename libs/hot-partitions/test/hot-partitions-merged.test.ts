import { once } from 'node:events';
import { explainPartition } from '@engawa/heat';
import { expectResponse } from '@engawa/http';
import { itOnLinux, loopbackReason, until } from '@engawa/testing';
import { answering, aPartition, aReport, hotOne, HotPartitionApps } from './hot-partition-apps.ts';
import type { IncomingHttpHeaders } from 'node:http';
import type { StartedApp } from './start-app.ts';

const started = new HotPartitionApps();
afterEach(() => started.close());

interface Report {
  partitions: { partition: string; unitsPerSecond: number; utilization: number }[];
  processes: {
    url?: string;
    address?: string;
    answered: boolean;
    process?: string;
    why?: string;
  }[];
}

/** Checked against the OpenAPI document. */
async function merged(app: StartedApp, headers: Record<string, string> = {}): Promise<Report> {
  const answer = await fetch(`${app.url}/v1/hot-partitions/merged?limit=100`, { headers });
  expect(answer.status).toBe(200);
  return (await expectResponse(await app.contract(), answer)) as Report;
}

const nothingThere = 'http://127.0.0.1:1';

describe('GET /v1/hot-partitions/merged', () => {
  it('adds up the reports of the peers, in any order', async () => {
    const apps = [
      await started.app([hotOne, aPartition({ unitsPerSecond: 400, utilization: 0.4 })]),
      await started.app([aPartition({ unitsPerSecond: 500, utilization: 0.5 })]),
      await started.app([aPartition({ partition: 'DEVICE#other' })]),
    ];
    const peers = apps.map(({ url }) => url);
    const first = await merged(await started.app([], { peers }));
    expect(first.partitions).toMatchObject([
      { partition: 'LIST#DEVICE#0', unitsPerSecond: 50, throttlesPerSecond: { key_range: 12 } },
      { partition: 'DEVICE#climate-1', unitsPerSecond: 900, utilization: 0.9 },
      { partition: 'DEVICE#other', unitsPerSecond: 100 },
    ]);
    expect(first.processes).toEqual(
      peers.map((url) => ({ url, address: '127.0.0.1', answered: true, process: anId() })),
    );
    const second = await merged(await started.app([], { peers: peers.toReversed() }));
    expect(second).toEqual({ ...first, processes: first.processes.toReversed() });
    const hot = await fetch(
      `${(await started.app([], { peers })).url}/v1/hot-partitions/merged?hot=true`,
    );
    // The second key is hot by the total only: in no single process.
    expect(await hot.json()).toMatchObject({ partitions: first.partitions.slice(0, 2) });
  });

  it('lists peers without a report and the reason, and merges the other reports', async () => {
    const good = await started.app([aPartition()]);
    let followed = 0;
    const target = await started.server((_request, response) => {
      followed += 1;
      response.end();
    });
    const plenty = JSON.stringify({ process: 'x', ...aReport(), padding: 'x'.repeat(2_000_000) });
    const bad: [string, string | RegExp][] = [
      [await started.server(() => undefined), 'it did not respond in time'],
      [
        await started.server((_, response) => response.write('{"process":')),
        'it did not respond in time',
      ],
      [await started.server((_, response) => response.end('rubbish')), /not a report/],
      [await started.server((_, response) => response.end('{"partitions":"x"}')), /not a report/],
      [await started.server((_, response) => response.end('['.repeat(900_000))), /not a report/],
      [await started.server((_, response) => response.end(plenty)), /more than 1 MB/],
      [await started.server((_, response) => response.writeHead(401).end()), 'its status is 401'],
      [
        await started.server((_, response) => response.writeHead(302, { location: target }).end()),
        'its status is 302',
      ],
      [
        await started.server((_, response) => response.destroy()),
        /the request failed \(ECONNRESET\)/,
      ],
      [nothingThere, /the request failed \(ECONNREFUSED\)/],
      ['http://nobody.invalid', /host name/],
    ];
    const app = await started.app([], { peers: [...bad.map(([url]) => url), good.url] });
    const { partitions, processes } = await merged(app);
    expect(partitions).toMatchObject([{ partition: 'DEVICE#climate-1', unitsPerSecond: 100 }]);
    const expected = bad.map(([url, why]) => ({
      url,
      answered: false,
      why: expect.stringMatching(why) as unknown,
    }));
    expect(processes).toMatchObject([...expected, { url: good.url, answered: true }]);
    expect(followed).toBe(0);
  });

  it('is empty where no peer responds', async () => {
    const app = await started.app([hotOne], { peers: [nothingThere] });
    expect(await merged(app)).toMatchObject({
      limits: { write: 1000 },
      partitions: [],
      throttling: [],
      processes: [{ answered: false }],
    });
  });

  it.each([
    ['a number that is not finite', aReport({ partitions: [aPartition({ unitsPerSecond: -1 })] })],
    [
      'too many sentences of advice',
      aReport({ partitions: [aPartition({ advice: Array.from({ length: 99 }, () => 'x') })] }),
    ],
    ['too many keys', aReport({ partitions: Array.from({ length: 101 }, () => aPartition()) })],
    ['another time', aReport({ partitions: [aPartition({ hotSince: 'never' })] })],
  ])('rejects a report with %s', async (_what, report) => {
    const body = JSON.stringify({ process: 'x', ...report });
    const url = await started.server((_request, response) => response.end(body));
    const { processes } = await merged(await started.app([], { peers: [url] }));
    expect(processes).toMatchObject([{ url, answered: false }]);
  });

  it('accepts additional fields of a later version', async () => {
    const later = { ...aPartition(), colour: 'red', throttlesPerSecond: { moon: 1, table: 2 } };
    const body = JSON.stringify({ process: 'x', ...aReport(), partitions: [later], mood: 'good' });
    const url = await started.server((_request, response) => response.end(body));
    const { partitions } = await merged(await started.app([], { peers: [url] }));
    const known = aPartition({ throttlesPerSecond: { table: 2 } });
    expect(partitions).toEqual([explainPartition(known)]);
  });
});

describe('a peer', () => {
  itOnLinux(loopbackReason, 'is every address of its host name', async () => {
    const hosts: (string | undefined)[] = [];
    const partitions = [aPartition({ unitsPerSecond: 300 })];
    const one = await started.server((request, response) => {
      hosts.push(request.headers.host);
      answering('one', partitions)(request, response);
    });
    const { port } = new URL(one);
    await started.server(answering('two', partitions), '127.0.0.2', Number(port));
    const url = `http://engawa.example:${port}`;
    const resolveHost = (name: string) =>
      Promise.resolve(name === 'engawa.example' ? ['127.0.0.2', '127.0.0.1', '127.0.0.2'] : []);
    const answer = await merged(await started.app([], { peers: [url], resolveHost }));
    expect(answer.partitions).toMatchObject([{ unitsPerSecond: 600 }]);
    expect(answer.processes).toEqual([
      { url, address: '127.0.0.1', answered: true, process: 'one' },
      { url, address: '127.0.0.2', answered: true, process: 'two' },
    ]);
    expect(hosts).toEqual([`engawa.example:${port}`]);
  });

  it('with a slow DNS lookup delays no other', async () => {
    const good = await started.app([aPartition()]);
    const slow = 'http://slow.example';
    const resolveHost = () => new Promise<string[]>(() => undefined);
    const answer = await merged(await started.app([], { peers: [slow, good.url], resolveHost }));
    expect(answer.partitions).toHaveLength(1);
    expect(answer.processes).toMatchObject([
      { url: slow, answered: false, why: 'the DNS lookup of its host name timed out' },
      { url: good.url, answered: true },
    ]);
  });

  it('given twice gets one request; under two names, or as the process itself, it counts once', async () => {
    const peers: string[] = [];
    const app = await started.app([aPartition()], { peers });
    const { port } = new URL(app.url);
    peers.push(app.url, app.url, `http://localhost:${port}`);
    const { partitions, processes } = await merged(app);
    expect(partitions).toMatchObject([{ unitsPerSecond: 100 }]);
    expect(new Set(processes.map(({ process }) => process)).size).toBe(1);
    expect(processes.map(({ url }) => url)).toEqual([
      app.url,
      peers[2],
      ...processes.slice(2).map(() => peers[2]),
    ]);
    expect(await app.counted('/v1/hot-partitions', 200)).toBe(processes.length);
  });

  it('may have an IPv6 address and a path prefix', async () => {
    const paths: (string | undefined)[] = [];
    const url = await started.server((request, response) => {
      paths.push(request.url);
      answering('six', [aPartition()])(request, response);
    }, '::1');
    const peers = [`${url}/engawa/registry/`];
    const { processes } = await merged(await started.app([], { peers }));
    expect(processes).toMatchObject([{ url: peers[0], address: '::1', answered: true }]);
    expect(paths).toEqual(['/engawa/registry/v1/hot-partitions?limit=100']);
  });

  it('receives the token and the id of the request, and no other headers', async () => {
    let given: IncomingHttpHeaders = {};
    const url = await started.server((request, response) => {
      given = request.headers;
      answering('x', [])(request, response);
    });
    const app = await started.app([], { peers: [url] });
    await merged(app, { authorization: 'Bearer a.b.c', 'x-request-id': 'id-1', cookie: 'a=b' });
    const host = new URL(url).host;
    const sent = {
      authorization: 'Bearer a.b.c',
      'x-request-id': 'id-1',
      connection: 'close',
      host,
    };
    expect(given).toEqual(sent);
    await merged(app);
    expect(given).toEqual({ connection: 'close', host, 'x-request-id': anId() });
  });

  it('requires the token itself', async () => {
    const issuer = await started.issuer();
    const { environment } = issuer;
    const peer = await started.app([aPartition()], { environment });
    const guarded = await started.app([], { peers: [peer.url], environment });
    const open = await started.app([], { peers: [peer.url] });
    const path = '/v1/hot-partitions/merged';
    expect((await fetch(guarded.url + path)).status).toBe(401);
    expect(await merged(open)).toMatchObject({ processes: [{ why: 'its status is 401' }] });
    const authorization = `Bearer ${await issuer.token({ scope: 'sample:read' })}`;
    const { partitions } = await merged(guarded, { authorization });
    expect(partitions).toMatchObject([{ unitsPerSecond: 100 }]);
  });

  it('gets no further request after the client disconnects', async () => {
    const asked = Promise.withResolvers<{ closed: Promise<unknown> }>();
    const url = await started.server(({ socket }) =>
      asked.resolve({ closed: once(socket, 'close') }),
    );
    const app = await started.app([], { peers: [url] });
    const client = new AbortController();
    const asking = fetch(`${app.url}/v1/hot-partitions/merged`, { signal: client.signal });
    const { closed } = await asked.promise;
    client.abort();
    await expect(asking).rejects.toThrow();
    await closed;
    const path = '/v1/hot-partitions/merged';
    await until('the request ends', async () => (await app.counted(path, 499)) === 1);
  });
});

function anId(): unknown {
  return expect.stringMatching(/^[0-9a-f-]{36}$/);
}
