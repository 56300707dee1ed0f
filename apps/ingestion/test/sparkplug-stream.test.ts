import { gzipSync } from 'node:zlib';
import { deviceKey } from '@engawa/keys';
import { deviceItem } from '@engawa/model';
import { aDevice, openBeforeEach, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';
import { sparkplugPayload } from './sparkplug.ts';

const int32 = 3;
const float = 9;

const fixture = openBeforeEach(() => IngestionFixture.open());
/** Epoch milliseconds of the node's clock, which advances with each message. */
let clock: number;
let published: number;
beforeEach(() => {
  clock = Date.now() - 600_000;
  published = 0;
});

type Metrics = Record<string, unknown>[];

async function publish(path: string, metrics: Metrics, more: Record<string, unknown> = {}) {
  clock += 1000;
  const payload = sparkplugPayload(metrics, { timestamp: clock, ...more });
  await fixture.publish(`spBv1.0/${path}`, Buffer.from(payload));
  published += 1;
  return clock;
}

/** Everything published since the start of the service is durable. */
async function settled(): Promise<void> {
  await fixture.settled(published);
}

async function restart(overrides: Record<string, string> = {}): Promise<void> {
  await fixture.service?.close();
  published = 0;
  await fixture.start(overrides);
}

const aliased = (name: string, alias: number) => ({ name, alias, datatype: int32, intValue: 0 });
const value = (alias: number, intValue: number) => ({ alias, intValue });

/** The values of a field, in the order of time. */
async function valuesOf(device: string, field: string): Promise<unknown[]> {
  const readings = await fixture.readingsOf(device);
  const sorted = readings.toSorted((a, b) => a.time - b.time);
  return sorted.flatMap(({ fields }) => (field in fields ? [fields[field]] : []));
}

interface DeadLetterResponse {
  id: string;
  reason: string;
  detail: string;
  indexes?: number[];
}

async function deadLetters(): Promise<DeadLetterResponse[]> {
  const { body } = await fixture.ask('/v1/deadLetters');
  return (body as { items: DeadLetterResponse[] }).items;
}

async function replay(): Promise<void> {
  for (const { id } of await deadLetters()) await fixture.post(`/v1/deadLetters/${id}/replay`);
}

describe('aliases', () => {
  it('are known after a restart', async () => {
    await fixture.start();
    await publish('G/NBIRTH/E', [aliased('a', 1), aliased('b', 2)]);
    await publish('G/DBIRTH/E/D', [aliased('c', 3)]);
    await publish('G/NDATA/E', [value(1, 10)]);
    await settled();
    await restart();
    for (let count = 0; count < 20; count += 1) {
      await publish('G/NDATA/E', [value(1, count), value(2, -count)]);
      await publish('G/DDATA/E/D', [value(3, count)]);
    }
    await settled();
    expect(await deadLetters()).toEqual([]);
    const counted = Array.from({ length: 20 }, (_, index) => index);
    expect(await valuesOf('G/E', 'a')).toEqual([0, 10, ...counted]);
    expect(await valuesOf('G/E/D', 'c')).toEqual([0, ...counted]);
  });

  it('that a rebirth renumbered never explain data from before it', async () => {
    await fixture.start();
    for (let count = 0; count < 20; count += 1) await publish('G/NDATA/E', [value(1, count)]);
    await settled();
    expect(await deadLetters()).toHaveLength(20);
    await publish('G/NBIRTH/E', [aliased('b', 1), aliased('a', 2)]);
    await settled();
    await replay();
    expect(await valuesOf('G/E', 'b')).toEqual([0]);
    expect(await deadLetters()).toHaveLength(20);
  });

  it('of the birth before the last one explain late data, also after a restart', async () => {
    await fixture.start();
    await publish('G/NBIRTH/E', [aliased('a', 1), aliased('b', 2)]);
    const before = clock + 1;
    await publish('G/NBIRTH/E', [aliased('b', 1), aliased('a', 2)]);
    await settled();
    await publish('G/NDATA/E', [value(1, 7)], { timestamp: before });
    await settled();
    await restart();
    await publish('G/NDATA/E', [value(1, 8)], { timestamp: before + 1 });
    await publish('G/NDATA/E', [value(1, 9)]);
    await settled();
    expect(await valuesOf('G/E', 'a')).toEqual([0, 7, 8, 0]);
    expect(await valuesOf('G/E', 'b')).toEqual([0, 0, 9]);
  });

  it('are not those of an ended session, even if the next birth was missed', async () => {
    await fixture.start();
    const bdSeq = { name: 'bdSeq', datatype: 4, longValue: 1 };
    await publish('G/NBIRTH/E', [bdSeq, aliased('a', 1)]);
    await publish('G/NDEATH/E', [bdSeq]);
    await settled();
    await restart();
    await publish('G/NDATA/E', [value(1, 5)]);
    await settled();
    expect(await valuesOf('G/E', 'a')).toEqual([0]);
    expect(await deadLetters()).toMatchObject([{ reason: 'unknown_alias' }]);
  });
});

describe('an invalid metric', () => {
  it('becomes a dead letter alone, and is stored alone later', async () => {
    await fixture.start();
    await publish('G/NBIRTH/E', [aliased('a', 1)]);
    const time = await publish('G/NDATA/E', [
      { name: 'nan', datatype: float, floatValue: Number.NaN },
      value(1, 5),
      value(9, 6),
      { name: 'large', datatype: 1, intValue: 300 },
      { datatype: int32, intValue: 1 },
      { name: 'good', datatype: int32, intValue: 1 },
    ]);
    await settled();
    const stored = { time, fields: { a: 5, good: 1 } };
    expect(await fixture.readingsOf('G/E')).toContainEqual(stored);
    const [deadLetter] = await deadLetters();
    expect(deadLetter?.indexes).toHaveLength(4);
    await replay();
    const again = await fixture.readingsOf('G/E');
    expect(again.filter((reading) => reading.time === time)).toEqual([stored]);
  });

  it('that a later birth explains is stored by a replay, the others are not stored again', async () => {
    await fixture.start();
    const birth = clock + 500;
    const good = { name: 'good', datatype: int32, intValue: 1 };
    const time = await publish('G/NDATA/E', [value(1, 5), good, value(2, 6)]);
    await publish('G/NBIRTH/E', [aliased('a', 1)], { timestamp: birth });
    await settled();
    await replay();
    const readings = (await fixture.readingsOf('G/E')).filter((reading) => reading.time === time);
    expect(readings).toHaveLength(2);
    expect(readings).toEqual(
      expect.arrayContaining([
        { time, fields: { good: 1 } },
        { time, fields: { a: 5 } },
      ]),
    );
    expect(await deadLetters()).toMatchObject([{ reason: 'unknown_alias', indexes: [7] }]);
  });

  it('is quoted with a truncated name', async () => {
    await fixture.start();
    await publish('G/NDATA/E', [{ name: 'n'.repeat(70_000), intValue: 4_294_967_288 }]);
    await settled();
    const [deadLetter] = await deadLetters();
    expect(deadLetter?.detail.length).toBeLessThan(300);
  });
});

describe('a death', () => {
  const bdSeq = (longValue: number) => ({ name: 'bdSeq', datatype: 4, longValue });

  it('of an earlier session than the last birth changes nothing', async () => {
    await fixture.start();
    await publish('G/NBIRTH/E', [bdSeq(1)]);
    await publish('G/NBIRTH/E', [bdSeq(2)]);
    await publish('G/NDEATH/E', [bdSeq(1)]);
    await settled();
    expect(await valuesOf('G/E', 'online')).toEqual([true, true]);
  });

  it('of a node includes its devices', async () => {
    await fixture.start();
    await publish('G/NBIRTH/E', [bdSeq(1)]);
    await publish('G/DBIRTH/E/D', []);
    await publish('G/DBIRTH/E/D2', []);
    await settled();
    await restart();
    await publish('G/NDEATH/E', [bdSeq(1)]);
    await settled();
    for (const device of ['G/E', 'G/E/D', 'G/E/D2']) {
      expect(await valuesOf(device, 'online')).toEqual([true, false]);
    }
  });
});

describe('a payload', () => {
  it('that is compressed is read', async () => {
    await fixture.start();
    const body = gzipSync(sparkplugPayload([aliased('a', 1)], { timestamp: clock + 1000 }));
    await publish('G/NBIRTH/E', [{ name: 'algorithm', datatype: 12, stringValue: 'GZIP' }], {
      uuid: 'SPBV1.0_COMPRESSED',
      body,
    });
    await publish('G/NDATA/E', [value(1, 5)]);
    await settled();
    expect(await valuesOf('G/E', 'a')).toEqual([0, 5]);
  });

  it('has times in milliseconds, however small they are', async () => {
    await fixture.start();
    await publish('G/NDATA/E', [{ name: 'x', datatype: int32, intValue: 1 }], {
      timestamp: Math.floor(Date.now() / 1000),
    });
    await settled();
    expect(await fixture.readingsOf('G/E')).toEqual([]);
    expect(await deadLetters()).toMatchObject([{ reason: 'bad_time' }]);
  });

  it('with a historical metric stores it, and does not update last seen', async () => {
    await fixture.start();
    const hoursAgo = (hours: number) => Date.now() - hours * 3_600_000;
    const x = { name: 'x', datatype: int32, intValue: 1 };
    const [first, live, historical] = [hoursAgo(5), hoursAgo(3), hoursAgo(2)];
    const known = aDevice({ id: 'G/E', lastSeenAt: first });
    await fixture.table.put(deviceItem(known, { list: 1, seen: 1 }));
    const lastSeen = async () => {
      const device = await fixture.table.get(deviceKey('G/E'));
      return Number(device?.['lastSeenAt']);
    };
    await publish('G/NDATA/E', [{ ...x, timestamp: historical, isHistorical: true }]);
    await settled();
    expect(await lastSeen()).toBe(first);
    await publish('G/NDATA/E', [{ ...x, timestamp: live }]);
    await until('a later last seen', async () => (await lastSeen()) > first);
    expect(await lastSeen()).toBeGreaterThan(historical);
    const times = (await fixture.readingsOf('G/E')).map(({ time }) => time);
    expect(times.toSorted()).toEqual([live, historical]);
  });
});
