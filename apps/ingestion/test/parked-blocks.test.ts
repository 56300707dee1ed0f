import { deviceKey, parkedPartition, parkedShards } from '@engawa/keys';
import { parkedBlockItem } from '@engawa/model';
import { openBeforeEach, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { Reading } from '@engawa/model';

const longAgo = Date.now() - 3_600_000;
const device = 'hot';

const fixture = openBeforeEach(() => IngestionFixture.open());

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index);

async function numbersOf(id: string): Promise<number[]> {
  const readings = await fixture.readingsOf(id);
  return readings.map(({ fields }) => fields['x'] as number).toSorted((a, b) => a - b);
}

async function parked(): Promise<number> {
  const partitions = Array.from({ length: parkedShards }, (_, shard) => parkedPartition(shard));
  return (await Promise.all(partitions.map((pk) => fixture.items(pk)))).flat().length;
}

/** Leaves parked blocks like a process that was killed. */
async function leave(
  numbers: readonly number[],
  parked: { owner: string; parkedAt: number },
): Promise<void> {
  const readings = numbers.map((number) => ({ time: longAgo + number, fields: { x: number } }));
  await leaveBlocks(
    readings.map((reading) => [reading]),
    parked,
  );
}

async function leaveBlocks(
  blocks: readonly (readonly Reading[])[],
  parked: { owner: string; parkedAt: number },
): Promise<void> {
  const writer = fixture.table.batchWriter();
  const items = blocks.map((readings) => parkedBlockItem(device, readings, parked));
  await Promise.all(items.map((item) => writer.put(item)));
  writer.close();
}

it('stores its own parked blocks, and abandoned ones of another replica, each once', async () => {
  await leave(numbers(0, 30), { owner: 'ingestion-0', parkedAt: Date.now() });
  await leave(numbers(30, 40), { owner: 'ingestion-7', parkedAt: longAgo });
  await leave(numbers(40, 42), { owner: 'ingestion-8', parkedAt: Date.now() });
  await fixture.start();
  await until('all of it', async () => (await numbersOf(device)).length >= 40);
  // Blocks that another replica is about to store.
  await until('two parked blocks', async () => (await parked()) === 2);
  expect(await numbersOf(device)).toEqual(numbers(0, 40));
  expect(await fixture.metric('engawa_ingest_unparked_blocks_total')).toBe(40);
  expect(await fixture.metric('engawa_ingest_oldest_parked_seconds')).toBeGreaterThan(3500);
});

it('discards parked blocks of an unregistered device if new devices are not admitted', async () => {
  await leave([1, 2], { owner: 'ingestion-0', parkedAt: longAgo });
  await fixture.start({ DEVICE_ADMISSION: 'closed' });
  await until('nothing parked', async () => (await parked()) === 0);
  expect(await numbersOf(device)).toEqual([]);
});

it('counts a parked message as sent at its receipt, for any times of its readings', async () => {
  const hoursAgo = (hours: number) => Date.now() - hours * 3_600_000;
  const [first, live, historical] = [hoursAgo(5), hoursAgo(3), hoursAgo(2)];
  const readings: Reading[] = [
    { time: first, fields: { x: 1 } },
    { time: live, fields: { x: 2 } },
    { time: historical, fields: { x: 3 }, isHistorical: true },
  ];
  await leaveBlocks([readings], { owner: 'ingestion-0', parkedAt: longAgo });
  await fixture.start();
  const lastSeen = async () => Number((await fixture.table.get(deviceKey(device)))?.['lastSeenAt']);
  await until('all of it', async () => (await numbersOf(device)).length >= 3);
  expect(await lastSeen()).toBe(longAgo);
  expect(await numbersOf(device)).toEqual([1, 2, 3]);
});
