import { PeerTokens } from '@engawa/http';
import { until } from '@engawa/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { PeerMetrics } from '../src/peer-metrics.ts';
import { PeerPoller } from '../src/peer-poller.ts';
import { answering, aPartition, aReport, HotPartitionApps } from './hot-partition-apps.ts';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import type { Partition } from '@engawa/heat';
import type { PeerPollerOptions, WatchedHeat } from '../src/peer-poller.ts';

const started = new HotPartitionApps();
let watch: PeerPoller | undefined;
afterEach(async () => {
  watch?.close();
  await started.close();
});

type PeerLoadInput = Parameters<WatchedHeat['learnPeerLoads']>[0];

/** Reports of a process that uses one key at this rate. */
class SingleKeyHeat implements Omit<WatchedHeat, 'history'> {
  share = 0.4;
  /** The checks for suspects, with the minimum share of each. */
  readonly asked: number[] = [];
  readonly told: PeerLoadInput[] = [];

  report() {
    return aReport();
  }

  suspects(minShare: number): Partition[] {
    this.asked.push(minShare);
    if (this.share < minShare) return [];
    return [{ index: 'table', unit: 'write', partition: 'DEVICE#climate-1' }];
  }

  learnPeerLoads(told: PeerLoadInput): void {
    this.told.push(told);
  }

  /** The last reported units of each other process. */
  get units(): number[] | undefined {
    const units = this.told.at(-1)?.reports.map((one) => one.partitions[0]?.unitsPerSecond ?? 0);
    return units?.sort((left, right) => left - right);
  }
}

function begin(
  heat: SingleKeyHeat,
  peers: readonly string[],
  more: Partial<PeerPollerOptions> = {},
) {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const registry = new Registry();
  const resolveHost = (name: string) => Promise.resolve([name]);
  const options = {
    heat,
    peers,
    resolveHost,
    process: 'self',
    tokens: undefined,
    log,
    intervalMs: 20,
  };
  watch = new PeerPoller({ ...options, metrics: new PeerMetrics(registry), ...more });
  const count = async (outcome: string) => {
    const metric = registry.getSingleMetric('engawa_hot_partition_peer_requests_total');
    const { values } = (await metric?.get()) ?? { values: [] };
    return values.find(({ labels }) => labels['outcome'] === outcome)?.value;
  };
  return { lines, count };
}

const uses = (process: string, unitsPerSecond: number) =>
  answering(process, [aPartition({ unitsPerSecond })]);

it('sends no requests while this process uses no key enough, and sends them once it does', async () => {
  let requests = 0;
  const peer = await started.server((request, response) => {
    requests += 1;
    uses('other', 300)(request, response);
  });
  const heat = new SingleKeyHeat();
  heat.share = 0.01;
  begin(heat, [peer]);
  await until('20 checks', () => heat.asked.length > 20);
  // Of two processes at least one causes half of a key's heat.
  heat.share = 0.34;
  const before = heat.asked.length;
  await until('20 more checks', () => heat.asked.length > before + 20);
  expect(heat.asked.at(-1)).toBe(0.35);
  expect(requests).toBe(0);
  heat.share = 0.35;
  await until('reports of peers', () => heat.told.length > 0);
  expect(heat.units).toEqual([300]);
});

it('records the usage of each other process, each once, without its own', async () => {
  const peers = await Promise.all([
    started.server(uses('one', 100)),
    started.server(uses('one', 100)),
    started.server(uses('two', 200)),
    started.server(uses('self', 400)),
    started.server((_, response) => response.end('rubbish')),
  ]);
  const heat = new SingleKeyHeat();
  const { count } = begin(heat, [...peers, 'http://127.0.0.1:1']);
  await until('reports of peers', () => heat.told.length > 0);
  expect(heat.units).toEqual([100, 200]);
  expect(heat.told[0]?.suspects).toMatchObject([{ partition: 'DEVICE#climate-1' }]);
  expect([await count('answered'), await count('failed')]).toEqual([4, 2]);
});

it("keeps a peer's report for one round without a response, and drops it after two", async () => {
  let isAnswering = true;
  const flaky: RequestListener = (request, response) =>
    isAnswering ? uses('flaky', 100)(request, response) : response.destroy();
  const peers = [await started.server(flaky), await started.server(uses('steady', 200))];
  const heat = new SingleKeyHeat();
  begin(heat, peers);
  await until('reports of peers', () => heat.told.length > 0);
  expect(heat.units).toEqual([100, 200]);
  isAnswering = false;
  await until('a peer is dropped', () => heat.units?.length === 1);
  const rounds = heat.told.map(({ reports }) => reports.length);
  // The last round with a response, then the round without one.
  expect(rounds.slice(rounds.lastIndexOf(2) - 1)).toEqual([2, 2, 1]);
  expect(heat.units).toEqual([200]);
});

it('drops a process whose address was removed', async () => {
  const one = await started.server(uses('one', 100));
  const port = Number(new URL(one).port);
  await started.server(uses('two', 200), '127.0.0.2', port);
  let addresses = ['127.0.0.1', '127.0.0.2'];
  const heat = new SingleKeyHeat();
  const resolveHost = () => Promise.resolve(addresses);
  begin(heat, [`http://engawa.example:${port}`], { resolveHost });
  await until('reports of peers', () => heat.told.length > 0);
  expect(heat.units).toEqual([100, 200]);
  addresses = ['127.0.0.2'];
  const before = heat.told.length;
  await until('two more rounds', () => heat.told.length > before + 1);
  expect(heat.told[before + 1]?.reports).toHaveLength(1);
});

it('sends a token where a secret is set, and logs once that a peer rejects it', async () => {
  const secret = 'the same in all processes of this test';
  let given: IncomingHttpHeaders = {};
  const peer = await started.server((request, response) => {
    given = request.headers;
    response.writeHead(401).end();
  });
  const heat = new SingleKeyHeat();
  const { lines, count } = begin(heat, [peer], { tokens: new PeerTokens(secret) });
  await until('three rounds', () => heat.told.length > 2);
  expect(new PeerTokens(secret).isValid(String(given['engawa-peer']))).toBe(true);
  expect(given).not.toHaveProperty('authorization');
  expect(heat.units).toEqual([]);
  expect(await count('refused')).toBeGreaterThan(2);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('CURSOR_SECRET');
});
