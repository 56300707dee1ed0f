import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RequestBudget } from '@engawa/http';
import {
  deviceKey,
  deviceSeenFamily,
  devicePartition,
  rollupRange,
  shardMapKey,
  shardOf,
} from '@engawa/keys';
import { blockItem, deviceItem, parseRollup } from '@engawa/model';
import { startService } from '@engawa/service';
import { aDevice, compiledCode, openBeforeAll, OtlpCollector } from '@engawa/testing';
import { pino } from 'pino';
import { DeviceSummaries } from '../src/aggregates/device-summaries.ts';
import { PageProgress } from '../src/aggregates/page-progress.ts';
import * as rollup from '../src/rollup-command/start.ts';
import type { Key } from '@engawa/keys';
import type { Reading } from '@engawa/model';
import type { Table } from '@engawa/table';
import { openTable } from './table.ts';

const log = pino({ enabled: false });
const hour = 3_600_000;
const day = 24 * hour;
/** Midnight, UTC. */
const today = Date.now() - (Date.now() % day);
const retentionDays = 30;

const opened = openBeforeAll(openTable);
let table: Table;

beforeAll(() => {
  ({ table } = opened);
});

/** A reading an hour, from so many days before today up to so many. */
async function store(id: string, days: { from: number; to: number }, expires: boolean) {
  await table.put(deviceItem(aDevice({ id }), { list: 1, seen: 1 }));
  const times = Array.from(
    { length: (days.from - days.to) * 24 },
    (_, index) => today - days.from * day + index * hour,
  );
  const blocks = times.map((time) =>
    blockItem({
      device: id,
      readings: [{ time, fields: { power: 0.1 } }],
      ...(expires && { ttl: time / 1000 + retentionDays * 86_400 }),
    }),
  );
  const writer = table.batchWriter();
  await Promise.all(blocks.map((block) => writer.put(block)));
  writer.close();
  return blocks;
}

async function run(environment: Record<string, string> = {}): Promise<void> {
  const task = await startService({
    name: 'rollup',
    module: rollup,
    environment: { ...opened.environment, ...environment },
    logDestination: { write: () => undefined },
  });
  await task.close();
}

/** The days, counted back from today, that have a rollup. */
async function rolledUpDays(id: string): Promise<number[]> {
  const { items } = await table.query({
    pk: devicePartition(id),
    sk: rollupRange('P1D', today - 100 * day, today),
  });
  return items.map((item) => (today - parseRollup(item).start) / day);
}

async function dailySums(id: string, days: { from: number; to: number }): Promise<unknown[]> {
  const edges = Array.from(
    { length: days.from - days.to + 1 },
    (_, index) => today - (days.from - index) * day,
  );
  const summaries = await new DeviceSummaries({ table, now: Date.now }).of({
    device: id,
    edges,
    atLeastUntil: 0,
    budget: new RequestBudget({ deadlineMs: Infinity, maxUnits: Infinity }),
    progress: new PageProgress(false),
    signal: new AbortController().signal,
    log,
  });
  return summaries.map(({ fields }) => fields.get('power')?.sum.value);
}

it('computes rollups before readings expire, and keeps them afterwards', async () => {
  const blocks = await store('expiring', { from: 29, to: 20 }, true);
  await run({ ROLLUP_AHEAD_HOURS: '72' });
  // What is 27 days old or older expires within three days.
  expect(await rolledUpDays('expiring')).toEqual([29, 28]);
  await Promise.all(blocks.slice(0, 48).map((block) => table.delete(block as Key)));
  expect(await dailySums('expiring', { from: 29, to: 26 })).toEqual([2.4, 2.4, 2.4]);
});

describe('of a device with very many fields', () => {
  const expiring = (time: number) => Math.ceil(time / 1000) + retentionDays * 86_400;

  /** Each reading in a block. */
  async function storeReadings(id: string, readings: readonly Reading[]): Promise<Key[]> {
    await table.put(deviceItem(aDevice({ id }), { list: 1, seen: 1 }));
    const blocks = readings.map((reading) =>
      blockItem({ device: id, readings: [reading], ttl: expiring(reading.time) }),
    );
    const writer = table.batchWriter();
    await Promise.all(blocks.map((block) => writer.put(block)));
    writer.close();
    return blocks.map(({ pk, sk }) => ({ pk, sk }));
  }

  it('keeps the rollup of a day that does not fit into an item', async () => {
    const start = today - 29 * day;
    // Every other value falls, as that of a thermometer does.
    const names = Array.from({ length: 300 }, (_, index) => `sensor${index}`);
    const readings = Array.from({ length: 288 }, (_, index) => {
      const value = 20.5 + (index % 2) / 4;
      const fields = Object.fromEntries([...names, 'power'].map((name) => [name, value]));
      return { time: start + index * 300_000, fields };
    });
    const keys = await storeReadings('wide', readings);
    await run();
    const before = await dailySums('wide', { from: 29, to: 28 });
    expect(before).toEqual([readings.reduce((sum, { fields }) => sum + (fields['power'] ?? 0), 0)]);
    await table.deleteAll(keys);
    expect(await dailySums('wide', { from: 29, to: 28 })).toEqual(before);
  });

  it('fails where a rollup does not fit into a transaction, after it has stored all others', async () => {
    const start = today - 29 * day;
    const readings = Array.from({ length: 60 }, (_, index) => {
      const names = Array.from(
        { length: 900 },
        (_, field) => `a sensor of number ${index} ${field}`,
      );
      return {
        time: start + index * 60_000,
        fields: Object.fromEntries([...names, 'power'].map((name) => [name, 1.5])),
      };
    });
    await storeReadings('too wide', readings);
    await store('zz beside', { from: 29, to: 28 }, true);
    await expect(run()).rejects.toThrow(/^2 rollups could not be stored/);
    expect(await rolledUpDays('zz beside')).toEqual([29]);
    expect(await rolledUpDays('too wide')).toEqual([]);
    await table.delete(deviceKey('too wide'));
  });
});

it('skips readings without expiry, and is idempotent', async () => {
  await store('kept', { from: 40, to: 38 }, false);
  await run();
  await run();
  expect(await rolledUpDays('kept')).toEqual([]);
});

it('continues an interrupted run', async () => {
  await store('often', { from: 29, to: 20 }, true);
  await run({ ROLLUP_AHEAD_HOURS: '48' });
  expect(await rolledUpDays('often')).toEqual([29]);
  await run({ ROLLUP_AHEAD_HOURS: '240' });
  expect(await rolledUpDays('often')).toEqual([29, 28, 27, 26, 25, 24, 23, 22, 21]);
});

it('computes no rollup of a day that has begun to expire', async () => {
  await store('late', { from: 32, to: 28 }, true);
  await run();
  expect(await rolledUpDays('late')).toEqual([29]);
});

it('finds devices in all shards of the list, and readings in all shards of a device', async () => {
  const epochs = [{ since: 0, count: 4, from: 0 }];
  await table.put({ ...shardMapKey(deviceSeenFamily), epochs });
  const ids = Array.from({ length: 8 }, (_, index) => `in a shard ${index}`);
  expect(new Set(ids.map((id) => shardOf(id, 4))).size).toBe(4);
  const time = today - 29 * day;
  for (const [index, id] of ids.entries()) {
    await table.put(deviceItem(aDevice({ id, shards: epochs }), { list: 1, seen: 4 }));
    const readings = [{ time, fields: { power: 0.1 } }];
    const ttl = time / 1000 + retentionDays * 86_400;
    await table.put({ ...blockItem({ device: id, readings, shard: index % 4, ttl }) });
  }
  await run();
  for (const id of ids) expect([id, await rolledUpDays(id)]).toEqual([id, [29]]);
});

it('exits with 0 where the trace collector answers 404', async () => {
  const collector = new OtlpCollector((_request, response) => response.writeHead(404).end());
  const OTEL_EXPORTER_OTLP_ENDPOINT = await collector.listen();
  try {
    const main = join(__dirname, '../src/rollup-command/main.ts');
    const env = { ...opened.environment, ...compiledCode(), OTEL_EXPORTER_OTLP_ENDPOINT };
    const { stdout } = await promisify(execFile)(process.execPath, [main], { env });
    expect(stdout).toContain('the last spans could not be sent: Not Found');
  } finally {
    await collector.close();
  }
});
