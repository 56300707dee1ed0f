import { aHistory, aRow, HistoryApps } from './history-apps.ts';
import { aPartition, HotPartitionApps } from './hot-partition-apps.ts';
import type { StartedApp } from './start-app.ts';

const reports = new HotPartitionApps();
const histories = new HistoryApps();
afterEach(async () => {
  await reports.close();
  await histories.close();
});

async function tokens() {
  const issuer = await reports.issuer();
  const headersOf = async (places: string) => ({
    authorization: `Bearer ${await issuer.token({ scope: 'sample:read', places })}`,
  });
  return {
    environment: { ...issuer.environment, AUTH_PLACES_CLAIM: 'places' },
    restricted: await headersOf('home'),
    all: await headersOf('*'),
  };
}

async function ask({ url }: StartedApp, path: string, headers: Record<string, string>) {
  const answer = await fetch(`${url}/v1/hot-partitions${path}`, { headers });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { processes?: object[] };
}

describe('a caller who is restricted to places', () => {
  it('is told so, and gets the keys of these places', async () => {
    const { environment, restricted, all } = await tokens();
    const own = aPartition({ partition: 'ROOM#home#hall', kind: 'room' });
    const app = await reports.app([own, aPartition()], { environment });
    for (const path of ['', '/merged']) {
      expect(await ask(app, path, restricted)).toMatchObject({
        restrictedToPlaces: true,
        partitions: [{ partition: 'ROOM#home#hall' }],
      });
      const { length } = [own, aPartition()];
      const report = await ask(app, path, all);
      expect(report).toMatchObject({ restrictedToPlaces: false });
      expect(report).toHaveProperty('partitions.length', length);
    }
  });

  it('gets no addresses of processes', async () => {
    const { environment, restricted, all } = await tokens();
    const peer = await reports.app([aPartition()], { environment });
    const peers = [peer.url, 'http://127.0.0.1:1'];
    const merging = await reports.app([], { environment, peers });
    const older = await histories.app(aHistory([aRow('ROOM#home#hall', [])]), { environment });
    const history = await histories.app(aHistory([]), { environment, peers: [older.url] });
    for (const [app, path] of [
      [merging, '/merged'],
      [history, '/history/merged'],
    ] as const) {
      const { processes = [] } = await ask(app, path, restricted);
      const names = new Set(processes.flatMap((one) => Object.keys(one)));
      expect([...names].filter((name) => ['url', 'address'].includes(name))).toEqual([]);
      const shown = await ask(app, path, all);
      expect(shown.processes?.[0]).toMatchObject({ address: '127.0.0.1', answered: true });
      expect(processes).toHaveLength(shown.processes?.length ?? 0);
    }
  });
});
