import { deviceKey } from '@engawa/keys';
import { parseDevice } from '@engawa/model';
import { describeWithMosquitto, metricValue, until } from '@engawa/testing';
import { faultTests } from '../faults/fault-tests.ts';
import { HotLoad } from './hot-load.ts';
import type { Device } from '@engawa/model';
import type { FaultScenario } from '../faults/fault-scenario.ts';

/** Write units per second that one key accepts. */
const limit = 20;
const limits = { partition: { write: limit }, burstSeconds: 1 };
const environment = { LINGER_MS: '0', PARTITION_WRITE_LIMIT: String(limit), LOG_LEVEL: 'error' };
const group = { ...environment, MQTT_GROUP: 'engawa' };

const deviceOf = (scenario: FaultScenario) => `${scenario.prefix}-0`;

/** Five times the limit of one key: with this much text each reading has its own block. */
function hotLoad(scenario: FaultScenario): Promise<HotLoad> {
  scenario.backends.simulator.setLimits(limits);
  const url = scenario.broker?.url ?? '';
  return HotLoad.connect({ url, device: deviceOf(scenario), rate: 5 * limit, textBytes: 800 });
}

async function itemOf(scenario: FaultScenario): Promise<Device | undefined> {
  const item = await scenario.backends.table.get(deviceKey(deviceOf(scenario)), {
    consistent: true,
  });
  return item && parseDevice(item);
}

/** The numbers of all readings that the query service returns. */
async function shown(scenario: FaultScenario): Promise<Set<number>> {
  const numbers = new Set<number>();
  const from = new Date(Date.now() - 600_000).toISOString();
  const to = new Date(Date.now() + 600_000).toISOString();
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ from, to, limit: '1000', ...(cursor && { cursor }) });
    const path = `/v1/devices/${deviceOf(scenario)}/readings?${query.toString()}`;
    const answer = await fetch(scenario.backends.query.url + path);
    if (answer.status === 404) return numbers;
    expect(answer.status).toBe(200);
    const page = (await answer.json()) as { items: { fields: { index: number } }[] } & {
      cursor?: string;
    };
    for (const { fields } of page.items) numbers.add(fields.index);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return numbers;
}

/** Polls until it is stopped; a reading that was returned once must not be missing later. */
async function watch(scenario: FaultScenario, isEnough: () => boolean) {
  const watched = { rounds: 0, missing: [] as number[] };
  let before = new Set<number>();
  while (!isEnough()) {
    const now = await shown(scenario);
    watched.missing.push(...[...before].filter((number) => !now.has(number)));
    watched.rounds += 1;
    before = now;
  }
  return watched;
}

describeWithMosquitto('a device with a growing number of shards', () => {
  const hot = faultTests();

  hot('is in sight all the time, and grows once for all replicas', { environment: group }, play);

  async function play(scenario: FaultScenario): Promise<void> {
    const replicas = [await scenario.startIngestion(0), await scenario.startIngestion(1)];
    const load = await hotLoad(scenario);
    const sum = async (name: string) => {
      const values = replicas.map(({ metricsUrl }) => metricValue(metricsUrl, name));
      return (await Promise.all(values)).reduce((total, value) => total + value, 0);
    };
    let isEnough = false;
    const isStored = async () => {
      const stored = await sum('engawa_ingest_readings_total');
      const { shards = [] } = (await itemOf(scenario)) ?? {};
      return shards.length > 0 && load.taken.length > 1500 && stored > 0.9 * load.taken.length;
    };
    const progress = async () => ((await itemOf(scenario))?.shards ?? []).length;
    const growing = until('more keys, and all that is taken to be stored', isStored, {
      progress,
    }).finally(() => (isEnough = true));
    const [, watched] = await Promise.all([
      growing,
      watch(scenario, () => isEnough),
      load.publish(() => isEnough),
    ]);
    await load.close();
    expect(watched.missing).toEqual([]);
    expect(watched.rounds).toBeGreaterThan(10);
    await scenario.verify(() => load.taken);
    const { shards = [] } = (await itemOf(scenario)) ?? {};
    expect(await sum('engawa_partition_reshards_total')).toBe(shards.length);
  }

  hot('loses nothing when it is killed while readings are parked', { environment }, kill);

  async function kill(scenario: FaultScenario): Promise<void> {
    const off = { SHARD_GROWTH: 'off' };
    const killed = await scenario.startIngestion(0, off);
    const load = await hotLoad(scenario);
    let isKilled = false;
    const parked = () => metricValue(killed.metricsUrl, 'engawa_ingest_parked_blocks_total');
    const killing = until('parked blocks', async () => (await parked()) > 100)
      .then(() => killed.end('SIGKILL'))
      .finally(() => (isKilled = true));
    await Promise.all([killing, load.publish(() => isKilled, { waits: false })]);
    expect((await scenario.backends.parkedBlocks()).length).toBeGreaterThan(50);
    await scenario.startIngestion(0);
    // Parked blocks are stored at the key's limit while further readings arrive.
    await load.settled();
    scenario.backends.simulator.setLimits({});
    await load.close();
    await scenario.verify(() => load.taken);
    expect(load.taken.length).toBeGreaterThan(100);
  }
});
