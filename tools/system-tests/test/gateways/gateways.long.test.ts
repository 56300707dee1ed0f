import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, startLocalStack, startProcess } from '@engawa/embedded';
import { until } from '@engawa/testing';
import { renderRoutes } from './chart-routes.ts';
import { envoy } from './envoy.ts';
import { findGateway, versionOf } from './gateway.ts';
import { haproxy } from './haproxy.ts';
import { LiveFeed } from './live-feed.ts';
import { nginx } from './nginx.ts';
import { fullUpload, storeReadings } from './readings.ts';
import type { LocalStack, RunningProcess } from '@engawa/embedded';
import type { Gateway } from './gateway.ts';

/** Comments of the feed come every 15 s: together these take longer than the usual idle timeout of 60 s. */
const comments = 6;
const yesterday = Date.now() - 86_400_000;

let stack: LocalStack;
/** The readings of a device whose export is larger than 20 MB. */
const exported = [0, 10_000, 20_000].map((offset) => fullUpload('exported', yesterday + offset));
beforeAll(async () => {
  const environment = { RATE_LIMIT_PER_MINUTE: '0', TRUSTED_PROXIES: '1' };
  stack = await startLocalStack({ simulator: false, environment });
  for (const readings of exported) await storeReadings(stack.serviceUrls.ingestion, readings);
  // So many readings of one device are parked, and then moved to its partition.
  await until('the readings that are to be exported', async () => {
    const text = await (await requestExport(stack.serviceUrls.query)).text();
    return linesOf(text).length === exported.flat().length;
  });
});
afterAll(() => stack.close());

describe.each([nginx, haproxy, envoy])('behind $name', (gateway: Gateway) => {
  const path = findGateway(gateway);
  if (path === undefined) {
    it.skip(`all of it (skipped: no ${gateway.program} on this machine)`, () => undefined);
    return;
  }
  const device = `meter-of-${gateway.program}`;
  const folder = mkdtempSync(join(tmpdir(), 'engawa-gateway-'));
  let url: string;
  let running: RunningProcess;
  let feed: LiveFeed;
  beforeAll(async () => {
    const port = await findFreePort();
    const servers = Object.entries({ console: stack.consoleUrl, ...stack.serviceUrls });
    const args = gateway.configure({
      port,
      servers: new Map(servers.map(([name, address]) => [name, new URL(address).port])),
      routes: renderRoutes(),
      folder,
    });
    const name = versionOf(path, gateway);
    running = await startProcess({ name, command: [path, ...args], ready: { port } });
    url = `http://127.0.0.1:${port}`;
    feed = await LiveFeed.open(`${url}/v1/live?device=${device}`);
  });
  afterAll(async () => {
    await feed.close();
    await running.close();
    rmSync(folder, { recursive: true });
  });

  async function expectStatus(paths: string[], status = 200): Promise<void> {
    const responses = paths.map(async (each) => [each, (await fetch(url + each)).status]);
    expect(await Promise.all(responses)).toEqual(paths.map((each) => [each, status]));
  }

  it('each event of the live feed arrives before the next reading is sent', async () => {
    for (const count of [1, 2, 3]) {
      await storeReadings(url, [{ device, count }]);
      await until(`event ${count}`, () => feed.text.includes(`{"count":${count}}`));
    }
  });

  it('an upload of 10 MB is stored', async () => {
    await storeReadings(url, fullUpload(`${device}-upload`, yesterday));
  });

  it('an export of more than 20 MB that takes more than 15 s is complete', async () => {
    const response = await requestExport(url);
    expect(response.status).toBe(200);
    const { comments: seen } = feed;
    await until('two comments, 15 s apart', () => feed.comments >= seen + 2);
    const text = await response.text();
    expect(text.length).toBeGreaterThan(20_000_000);
    expect(linesOf(text)).toHaveLength(exported.flat().length);
  });

  it('pages, files and requests of the console arrive', async () => {
    await storeReadings(url, [{ device, level: 1 }]);
    const page = await (await fetch(`${url}/house`)).text();
    const [, script = ''] = /src="(?<path>\/assets\/[^"]+)"/.exec(page) ?? [];
    const api = [`registry/v1/devices/${device}`, `query/v1/devices/${device}/latest`];
    await expectStatus(['/', '/house', '/explore', script, ...api.map((each) => `/api/${each}`)]);
  });

  it('ids with a slash arrive', async () => {
    const withSlash = `${device}/1`;
    await storeReadings(url, [{ device: withSlash, level: 1 }]);
    const own = `/v1/devices/${encodeURIComponent(withSlash)}`;
    await expectStatus([`/api/registry${own}`, `/api/query${own}/latest`]);
    await expectStatus([own, `${own}/latest`], gateway.decodesSlashes ? 404 : 200);
  });

  it('the live feed stays open while no reading arrives', async () => {
    await until(`${comments} comments`, () => feed.comments >= comments);
    await storeReadings(url, [{ device, count: 4 }]);
    await until('the event', () => feed.text.includes('{"count":4}'));
    expect(feed.ended).toBe(false);
  });
});

function requestExport(url: string): Promise<Response> {
  const range = `from=${yesterday}&to=${yesterday + 30_000}`;
  return fetch(`${url}/v1/devices/exported/readings?${range}`, {
    headers: { accept: 'application/x-ndjson' },
  });
}

function linesOf(text: string): string[] {
  return text.trimEnd().split('\n');
}
