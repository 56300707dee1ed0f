import { metricValue, until } from '@engawa/testing';
import { faultTests } from '../faults/fault-tests.ts';
import { HotLoad } from './hot-load.ts';
import type { FaultScenario } from '../faults/fault-scenario.ts';

const hot = faultTests();

/** Write units per second that one key accepts. */
const limit = 20;
const environment = { LINGER_MS: '0', PARTITION_WRITE_LIMIT: String(limit), LOG_LEVEL: 'error' };
const limits = { partition: { write: limit }, burstSeconds: 1 };

async function hotLoad(scenario: FaultScenario, { rate = 0, textBytes = 0 }): Promise<HotLoad> {
  await scenario.startIngestion();
  scenario.backends.simulator.setLimits(limits);
  const url = scenario.broker?.url ?? '';
  return HotLoad.connect({ url, device: `${scenario.prefix}-0`, rate, textBytes });
}

async function shardsOf(scenario: FaultScenario): Promise<number> {
  return scenario.metric('engawa_partition_shards', { family: 'DEVICE' });
}

/** Keys of the device with at least one item. */
async function keysUsed(scenario: FaultScenario, most: number): Promise<number> {
  const { table } = scenario.backends;
  const sk = { beginsWith: '#TS#' };
  const pages = Array.from({ length: most }, (_, shard) => {
    const name = `DEVICE#${scenario.prefix}-0`;
    return table.query({ pk: shard === 0 ? name : `${name}#${shard}`, sk, limit: 1 });
  });
  return (await Promise.all(pages)).filter(({ items }) => items.length > 0).length;
}

describe('a hot device', () => {
  hot(
    'needs no more keys where its readings fit into fewer blocks',
    { environment },
    async (scenario) => {
      const load = await hotLoad(scenario, { rate: 8 * limit });
      await load.publish(() => load.taken.length > 8 * limit * 15);
      await load.close();
      await scenario.verify(() => load.taken);
      const blocks = await scenario.metric('engawa_ingest_blocks_total');
      expect(blocks).toBeLessThan(load.taken.length / 3);
      expect(await shardsOf(scenario)).toBe(0);
    },
  );

  hot('gets as many keys as it needs, and nothing is lost', { environment }, async (scenario) => {
    const load = await hotLoad(scenario, { rate: 5 * limit, textBytes: 950 });
    const stored = () => metricValue(scenario.ingestion.metricsUrl, 'engawa_ingest_readings_total');
    let caughtUp = false;
    const isStored = async () =>
      (await shardsOf(scenario)) >= 8 && (await stored()) > 0.98 * load.taken.length;
    // The load goes on until then, so more of it is taken without end; shards are the progress.
    const progress = () => shardsOf(scenario);
    const following = until('all that is taken to be stored', isStored, { progress }).finally(
      () => (caughtUp = true),
    );
    await load.publish(() => caughtUp);
    await following;
    await load.close();
    await scenario.verify(() => load.taken);
    expect(await keysUsed(scenario, 16)).toBeGreaterThanOrEqual(8);
  });

  const off = { ...environment, SHARD_GROWTH: 'off' };
  hot('stays with one key where growth is off', { environment: off }, async (scenario) => {
    const load = await hotLoad(scenario, { rate: 3 * limit, textBytes: 950 });
    const throttled = () => scenario.metric('engawa_table_throttled_attempts_total');
    await load.publish(() => load.taken.length > 3 * limit * 20);
    expect(await throttled()).toBeGreaterThan(0);
    expect(await shardsOf(scenario)).toBe(0);
    scenario.backends.simulator.setLimits({});
    await load.close();
    await scenario.verify(() => load.taken);
    expect(await keysUsed(scenario, 2)).toBe(1);
  });
});
