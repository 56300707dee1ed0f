import { deviceKey, shardOf } from '@engawa/keys';
import { deviceItem, seenAttributes } from '@engawa/model';
import { aDevice, openBeforeEach } from '@engawa/testing';
import { listDevices } from '../src/rollup-command/list-devices.ts';
import { openTable } from './table.ts';

const ids = Array.from({ length: 40 }, (_, index) => `device-${index}`);
const { lastSeenAt } = aDevice();
const signal = new AbortController().signal;

const opened = openBeforeEach(openTable);

it('lists the devices of all shards', async () => {
  const { table } = opened;
  for (const id of ids) await table.put(deviceItem(aDevice({ id }), { list: 1, seen: 8 }));
  const found: string[] = [];
  const shards = { readPlan: () => Promise.resolve({ count: 8 }) };
  for await (const { id } of listDevices({ table, shards, signal })) found.push(id);
  expect(found.toSorted()).toEqual(ids.toSorted());
});

it('misses no device that moves to a new shard meanwhile', async () => {
  const { table } = opened;
  let count = 2;
  for (const id of ids) await table.put(deviceItem(aDevice({ id }), { list: 1, seen: count }));
  const found = new Set<string>();
  const shards = { readPlan: () => Promise.resolve({ count }) };
  for await (const { id } of listDevices({ table, shards, signal })) {
    found.add(id);
    if (count === 8) continue;
    count = 8;
    for (const other of ids.filter((each) => shardOf(each, 2) === 1)) {
      await table.update(deviceKey(other), {
        set: seenAttributes(other, lastSeenAt, { list: 1, seen: count }),
      });
    }
  }
  expect([...found].toSorted()).toEqual(ids.toSorted());
});
