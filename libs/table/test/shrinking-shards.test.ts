import { deviceListFamily, maxStalenessMs, shardMapKey } from '@engawa/keys';
import pino from 'pino';
import { Registry } from 'prom-client';
import { openBeforeEach } from '@engawa/testing';
import { queryEachShard, ShardMap, ShardMetrics, walkShards } from '../src/index.ts';
import { startTable } from './table-fixture.ts';
import type { Document } from '@engawa/model';

const family = deviceListFamily;
const epochs = [{ since: 0, count: 8, from: 0 }];
const shrink = { count: 2, epochs: 1, from: 0 };
let now: { wall: number; steady: number };

const fixture = openBeforeEach(startTable);
beforeEach(() => {
  now = { wall: 1_000_000, steady: 0 };
});
const shards = openBeforeEach(
  () =>
    new ShardMap({
      table: fixture.table,
      metrics: new ShardMetrics(new Registry()),
      log: pino({ enabled: false }),
      now: () => ({ ...now }),
    }),
);

/** Another process has changed the family, and this one reads the map again. */
async function change(attributes: Document): Promise<void> {
  await fixture.table.put({ ...shardMapKey(family), ...attributes });
  now.wall += maxStalenessMs + 1;
  now.steady += maxStalenessMs + 1;
}

async function walk(meanwhile?: (shard: number) => Promise<void>): Promise<number[]> {
  const walked: number[] = [];
  for await (const shard of walkShards({ shards, family })) {
    walked.push(shard);
    await meanwhile?.(shard);
  }
  return walked;
}

it('queries the shards that entries move to after the responses of all others', async () => {
  await change({ epochs, shrink, version: 1 });
  const events: string[] = [];
  const results = await queryEachShard({ shards, family }, async (shard) => {
    events.push(`ask ${shard}`);
    await fixture.table.get(shardMapKey(family));
    events.push(`answer ${shard}`);
    return shard;
  });
  expect(results).toEqual([2, 3, 4, 5, 6, 7, 0, 1]);
  expect(events.slice(0, 12).filter((event) => /[01]$/.test(event))).toEqual([]);
});

it('queries all shards again if a shrink began meanwhile', async () => {
  await change({ epochs });
  const asked: number[] = [];
  await queryEachShard({ shards, family }, async (shard) => {
    asked.push(shard);
    if (asked.length === 8) await change({ epochs, shrink, version: 1 });
  });
  expect(asked.slice(8)).toEqual([2, 3, 4, 5, 6, 7, 0, 1]);
});

it('walks the lower shards again after a shrink that runs, or that has ended meanwhile', async () => {
  await change({ epochs, shrink, version: 1 });
  expect(await walk()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 0, 1]);
  const ended = { epochs: [{ since: 0, count: 2, from: 0 }], version: 2 };
  const end = (shard: number) => (shard === 4 ? change(ended) : Promise.resolve());
  expect(await walk(end)).toEqual([0, 1, 2, 3, 4, 0, 1]);
  expect(await walk()).toEqual([0, 1]);
});

it('ends only a shrink that no growth has cancelled, of this or of the former release', async () => {
  await change({ epochs });
  await shards.beginShrink(family, 1);
  expect(await shards.activeShrink(family)).toEqual({ count: 1, isUsable: false });
  // A former release writes epochs alone.
  const grown = [...epochs, { since: 0, count: 16, from: 0 }];
  await fixture.table.update(shardMapKey(family), { set: { epochs: grown } });
  await shards.endShrink(family);
  expect(await shards.activeShrink(family)).toBeUndefined();
  expect(await shards.toRead(family)).toBe(16);
  expect(await fixture.table.get(shardMapKey(family))).toMatchObject({ epochs: grown });

  await shards.beginShrink(family, 1);
  await shards.endShrink(family);
  expect(await shards.toRead(family)).toBe(1);
  const item = await fixture.table.get(shardMapKey(family));
  expect(item).toEqual({
    ...shardMapKey(family),
    epochs: [{ since: 0, count: 1, from: 0 }],
    version: 3,
  });
});

it.each([
  ['a text', 'many'],
  ['no count', { epochs: 1, from: 0 }],
  ['a count of 0', { ...shrink, count: 0 }],
  ['other epochs', { ...shrink, epochs: 7 }],
])('ignores %s as a shrink', async (_, invalid) => {
  await change({ epochs, shrink: invalid, version: 1 });
  expect(await shards.readPlan(family)).toMatchObject({ count: 8 });
  expect(shards.toWrite(family)).toBe(8);
});
