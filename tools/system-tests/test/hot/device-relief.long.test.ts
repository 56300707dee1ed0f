import { metricValue, until } from '@engawa/testing';
import { faultTests } from '../faults/scene.ts';
import { HotLoad } from './hot-load.ts';
import type { Scene } from '../faults/scene.ts';

const hot = faultTests();

/** Write units a second that one key takes. */
const limit = 20;
const environment = { LINGER_MS: '0', PARTITION_WRITE_LIMIT: String(limit), LOG_LEVEL: 'error' };
const limits = { partition: { write: limit }, burstSeconds: 1 };

async function hotLoad(scene: Scene, { rate = 0, textBytes = 0 }): Promise<HotLoad> {
  await scene.startIngestion();
  scene.ground.simulator.setLimits(limits);
  const url = scene.broker?.url ?? '';
  return HotLoad.connect({ url, device: `${scene.prefix}-0`, rate, textBytes });
}

async function shardsOf(scene: Scene): Promise<number> {
  return scene.metric('engawa_partition_shards', { family: 'DEVICE' });
}

/** Of the device's keys, those that something was written to. */
async function keysUsed(scene: Scene, most: number): Promise<number> {
  const { table } = scene.ground;
  const sk = { beginsWith: '#TS#' };
  const pages = Array.from({ length: most }, (_, shard) => {
    const name = `DEVICE#${scene.prefix}-0`;
    return table.query({ pk: shard === 0 ? name : `${name}#${shard}`, sk, limit: 1 });
  });
  return (await Promise.all(pages)).filter(({ items }) => items.length > 0).length;
}

describe('a hot device', () => {
  hot(
    'needs no more keys where its readings fit into fewer blocks',
    { environment },
    async (scene) => {
      const load = await hotLoad(scene, { rate: 8 * limit });
      await load.publish(() => load.taken.length > 8 * limit * 15);
      await load.close();
      await scene.verify(() => load.taken);
      const blocks = await scene.metric('engawa_ingest_blocks_total');
      expect(blocks).toBeLessThan(load.taken.length / 3);
      expect(await shardsOf(scene)).toBe(0);
    },
  );

  hot('gets as many keys as it needs, and nothing is lost', { environment }, async (scene) => {
    const load = await hotLoad(scene, { rate: 5 * limit, textBytes: 950 });
    const stored = () => metricValue(scene.ingestion.metricsUrl, 'engawa_ingest_readings_total');
    let caughtUp = false;
    const isStored = async () =>
      (await shardsOf(scene)) >= 8 && (await stored()) > 0.98 * load.taken.length;
    // The load goes on until then, so more of it is taken without end; shards are the progress.
    const progress = () => shardsOf(scene);
    const following = until('all that is taken to be stored', isStored, { progress }).finally(
      () => (caughtUp = true),
    );
    await load.publish(() => caughtUp);
    await following;
    await load.close();
    await scene.verify(() => load.taken);
    expect(await keysUsed(scene, 16)).toBeGreaterThanOrEqual(8);
  });

  const off = { ...environment, SHARD_GROWTH: 'off' };
  hot('stays with one key where growth is off', { environment: off }, async (scene) => {
    const load = await hotLoad(scene, { rate: 3 * limit, textBytes: 950 });
    const throttled = () => scene.metric('engawa_table_throttled_attempts_total');
    await load.publish(() => load.taken.length > 3 * limit * 20);
    expect(await throttled()).toBeGreaterThan(0);
    expect(await shardsOf(scene)).toBe(0);
    scene.ground.simulator.setLimits({});
    await load.close();
    await scene.verify(() => load.taken);
    expect(await keysUsed(scene, 2)).toBe(1);
  });
});
