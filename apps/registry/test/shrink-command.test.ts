import {
  deviceListFamily,
  deviceListPartition,
  deviceSeenFamily,
  placeListFamily,
  roomListFamily,
  shardMapKey,
  shardOf,
} from '@engawa/keys';
import { deviceItem, placeItem, roomItem } from '@engawa/model';
import { startService } from '@engawa/service';
import { aDevice, openBeforeAll } from '@engawa/testing';
import * as module from '../src/shrink-command/start.ts';
import { shrinkableLists } from '../src/shrink-command/shrinkable-list.ts';
import { startTable } from './table.ts';

const ids = Array.from({ length: 40 }, (_, index) => `device-${index}`);
const epochs = [{ since: 0, count: 8, from: 0 }];

const started = openBeforeAll(startTable);
beforeAll(async () => {
  const { table } = started;
  for (const family of [deviceListFamily, deviceSeenFamily, placeListFamily, roomListFamily])
    await table.put({ ...shardMapKey(family), epochs });
  for (const id of ids) {
    await table.put(deviceItem(aDevice({ id }), { list: 8, seen: 8 }));
    await table.put(placeItem({ id, name: id, registeredAt: 0, version: 1 }, 8));
    await table.put(roomItem({ id, place: id, name: id, registeredAt: 0, version: 1 }, 8));
  }
});

/** Runs the command, and returns what it logged. */
async function run(environment: Record<string, string>): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const task = await startService({
    name: 'shrink',
    module,
    environment: { ...started.environment, ...environment },
    logDestination: { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) },
  });
  await task.close();
  return lines.filter(({ msg }) => msg !== 'started');
}

it('logs the price and changes nothing, until it is confirmed', async () => {
  const { table } = started;
  const first = { index: 'gsi1', pk: deviceListPartition(0) } as const;
  const { count } = await table.count(first);
  const entries = ids.length - count;
  const price = {
    ...{ family: 'LIST#DEVICE', shards: 8, to: 1, entries, writeUnits: 4 * entries },
    pageUnits: { now: 4, then: 0.5 },
  };
  const environment = { SHRINK_FAMILY: 'LIST#DEVICE' };
  const [priced, unchanged] = await run(environment);
  expect(priced).toMatchObject(price);
  expect(unchanged?.['msg']).toContain('SHRINK_CONFIRMED=true');
  expect(await table.count(first)).toMatchObject({ count });
  expect(await table.get(shardMapKey(deviceListFamily))).toMatchObject({ epochs });
});

it.each([
  ['LIST#DEVICE', 1],
  ['SEEN#DEVICE', 2],
  ['LIST#PLACE', 4],
  ['LIST#ROOM', 1],
] as const)('moves the entries of %s to the %d shards of their ids', async (family, to) => {
  const { table } = started;
  const lines = await run({
    ...{ SHRINK_FAMILY: family, SHRINK_TO: String(to), SHRINK_CONFIRMED: 'true' },
    ...{ SHRINK_ENTRIES_PER_SECOND: '1000', SHRINK_QUIESCENCE_SECONDS: '1' },
  });
  expect(lines.at(-1)).toMatchObject({ msg: 'list has fewer shards', family, shards: to });
  const { family: segments, index, partition } = shrinkableLists[family];
  const found: unknown[] = [];
  for (let shard = 0; shard < to; shard++) {
    const { items } = await table.query({ index, pk: partition(shard) });
    expect(items.filter(({ id }) => shardOf(id as string, to) !== shard)).toEqual([]);
    found.push(...items.map(({ id }) => id));
  }
  expect(found.toSorted()).toEqual(ids.toSorted());
  const item = await table.get(shardMapKey(segments));
  expect(item?.['epochs']).toEqual([{ since: 0, count: to, from: 0 }]);
  expect(item).not.toHaveProperty('shrink');
});
