import { devicePartition } from '@engawa/keys';
import { blockItem, deviceItem } from '@engawa/model';
import { startService } from '@engawa/service';
import { connectTable, ensureTable, TableMetrics } from '@engawa/table';
import {
  aDevice,
  aReading,
  ListeningPorts,
  metricValue,
  Relay,
  startTable,
  SteadyUse,
  useUntil,
} from '@engawa/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import * as query from '../src/start.ts';
import type { RunningService } from '@engawa/service';
import type { StartedTable } from '@engawa/testing';

const id = 'popular';
/**
 * Read units a second that one partition takes, as far as the replicas know; a question for the
 * latest takes a half.
 */
const settings = { PARTITION_READ_LIMIT: '10', RATE_LIMIT_PER_MINUTE: '0' };
const hotFrom = 0.7;
/** Questions in each second of the replicas' clock: together four read units. */
const perSecond = 8;

/** A replica that is asked again and again for the latest of one device. */
class Replica {
  asked = 0;
  readonly #ports = new ListeningPorts();
  #service: RunningService<unknown> | undefined;

  async start(environment: Record<string, string>): Promise<void> {
    this.#service = await startService({
      name: 'query',
      module: query,
      environment: { ...environment, ...settings, PORT: '0', METRICS_PORT: '0' },
      logDestination: this.#ports,
      now: () => Math.floor(this.asked / perSecond) * 1000,
    });
  }

  get api(): string {
    return this.#ports.url('PORT');
  }

  async ask(): Promise<void> {
    const answer = await fetch(`${this.api}/v1/devices/${id}/latest`);
    const { readings } = (await answer.json()) as { readings: unknown[] };
    expect(readings).toHaveLength(1);
    this.asked += 1;
  }

  queries(): Promise<number> {
    const name = 'engawa_table_attempts_total';
    return metricValue(this.#ports.url('METRICS_PORT'), name, { operation: 'Query' });
  }

  async close(): Promise<void> {
    await this.#service?.close();
  }
}

let table: StartedTable;
let relays: Relay[];
let replicas: Replica[];

beforeEach(async () => {
  table = await startTable(ensureTable);
  const metrics = new TableMetrics(new Registry());
  const own = connectTable({ ...table.location, metrics, log: pino({ enabled: false }) });
  const reading = aReading({ time: Date.UTC(2026, 10, 20), fields: { temperature: 21 } });
  await own.put(deviceItem(aDevice({ id }), { list: 1, seen: 1 }));
  await own.put(blockItem({ device: id, readings: [reading], shard: 0 }));
  own.close();
  relays = await Promise.all([Relay.open(), Relay.open()]);
  const peers = { HOT_PARTITION_PEERS: relays.map(({ url }) => url).join() };
  replicas = [new Replica(), new Replica()];
  await Promise.all(replicas.map((one) => one.start({ ...table.environment, ...peers })));
  relays.forEach((relay, index) => (relay.target = replicas[index]?.api));
});
afterEach(async () => {
  await Promise.all([...replicas, ...relays].map((one) => one.close()));
  await table.close();
});

async function totals() {
  const queries = await Promise.all(replicas.map((one) => one.queries()));
  return {
    asked: replicas.reduce((sum, one) => sum + one.asked, 0),
    queries: queries.reduce((sum, one) => sum + one, 0),
  };
}

/** Asks each replica so often that it uses such a share of the device's partition. */
function usesOf(shares: readonly number[]): SteadyUse[] {
  const key = { index: 'table', unit: 'read', partition: devicePartition(id) } as const;
  return replicas.map((replica, index) => {
    const share = shares[index] ?? 0;
    return new SteadyUse({ api: replica.api, key, share, send: () => replica.ask() });
  });
}

/** Whether each replica takes the device to be hot. */
async function hotIn(uses: readonly SteadyUse[]): Promise<boolean[]> {
  const reported = await Promise.all(uses.map((one) => one.reported()));
  return reported.map((one) => one?.hotSince !== undefined);
}

it('shares the Queries of a device that is hot only in total of all replicas, while its request rate lasts', async () => {
  const uses = usesOf([0.4, 0.4]);
  await useUntil(uses, 'heat', async () => (await hotIn(uses)).every(Boolean));
  for (const { highest } of uses) expect(highest).toBeLessThan(hotFrom);
  const before = await totals();
  await useUntil(uses, 'questions', async () => (await totals()).asked > before.asked + 600);
  const after = await totals();
  // Shared, they take a Query for eight questions.
  expect(after.queries - before.queries).toBeLessThan((after.asked - before.asked) / 4);
});

it('shares nothing of a device of which the sum is below the threshold', async () => {
  // The first one asks: it uses more than half of what would be too much for both.
  const uses = usesOf([0.45, 0.1]);
  const rounds = () => relays[1]?.connections ?? 0;
  await useUntil(uses, 'requests', () => rounds() >= 6);
  expect(await hotIn(uses)).toEqual([false, false]);
  const { asked, queries } = await totals();
  expect(queries).toBeGreaterThanOrEqual(asked);
});
