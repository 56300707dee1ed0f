import { Decimal } from '@engawa/model';
import { openBeforeAll } from '@engawa/testing';
import { ItemRejected, queryAll, WriterClosed } from '../src/index.ts';
import { connect, metric, startTable, until } from './table-fixture.ts';
import type { BatchWriter, Table } from '../src/index.ts';

const fixture = openBeforeAll(startTable);
let writer: BatchWriter;
beforeEach(() => {
  fixture.proxy.reply = () => 'forward';
  writer = fixture.table.batchWriter();
});
afterEach(() => writer.close());

const sortKey = (number: number) => String(number).padStart(5, '0');

/** This many puts, over this many partition keys that begin with the name. */
function putMany(name: string, count: number, partitions = 10): Promise<void>[] {
  return Array.from({ length: count }, (_, number) =>
    writer.put({ pk: `${name}-${number % partitions}`, sk: sortKey(number), number }),
  );
}

/** Sizes of the batches that arrived since `from`. */
function batchSizes(from = 0): number[] {
  const batches = fixture.proxy.of('BatchWriteItem').slice(from);
  return batches.map(({ body }) => Object.values(body['RequestItems'] ?? {}).flat().length);
}

async function countStored(table: Table, pk: string): Promise<number> {
  return (await queryAll(table, { pk })).length;
}

it('stores ten thousand items, in batches of 25', async () => {
  writer.close();
  // An attempt delayed by a busy machine must not count as failed.
  const patient = connect(fixture.table.tableName, fixture.proxy.endpoint, 30_000);
  writer = patient.table.batchWriter();
  const before = fixture.proxy.of('BatchWriteItem').length;
  await Promise.all(putMany('many', 10_000));
  const counts = await Promise.all(
    Array.from({ length: 10 }, (_, partition) => countStored(patient.table, `many-${partition}`)),
  );
  expect(counts).toEqual(Array.from({ length: 10 }, () => 1000));
  expect(fixture.proxy.of('BatchWriteItem').length - before).toBe(400);
  expect(writer.pending).toBe(0);
  patient.table.close();
});

it('stores documents unchanged', async () => {
  const document = {
    ...{ pk: 'whole', sk: 'whole' },
    digits: new Decimal('0.1234567890123456789'),
    bytes: Uint8Array.of(1, 2, 255),
    fields: { 'a "field"': [1.5, null, 'x', []] },
  };
  await writer.put(document);
  expect(await fixture.table.get({ pk: 'whole', sk: 'whole' })).toEqual(document);
});

it('counts the units that batches consume', async () => {
  const labels = { operation: 'BatchWriteItem', index: 'table', unit: 'write' };
  const units = () => metric(fixture.registry, 'engawa_table_consumed_units_total', labels);
  const before = await units();
  await Promise.all(putMany('units', 30));
  expect(await units()).toBe(before + 30);
});

describe('puts with one key', () => {
  const key = { pk: 'same', sk: 'same' };

  it('become one write when they are equal', async () => {
    const before = fixture.proxy.of('BatchWriteItem').length;
    await Promise.all([writer.put({ ...key, n: 1 }), writer.put({ ...key, n: 1 })]);
    expect(batchSizes(before)).toEqual([1]);
  });

  it('are never in one batch when they differ: the last waiting put is stored for the earlier ones', async () => {
    const before = fixture.proxy.of('BatchWriteItem').length;
    const numbers = Array.from({ length: 6000 }, (_, number) => number);
    await Promise.all(numbers.map((n) => writer.put({ ...key, n })));
    expect(batchSizes(before)).toEqual([1, 1]);
    expect(await fixture.table.get(key)).toMatchObject({ n: 5999 });
  });

  it('are stored up to the last one that DynamoDB accepts', async () => {
    const numbered = [0, 1, 2].map((n) => writer.put({ ...key, n }));
    // An index key must be a text, which only DynamoDB validates.
    const refused = writer.put({ ...key, n: 3, gsi1pk: 1, gsi1sk: 'x' });
    await expect(refused).rejects.toMatchObject({ name: 'ItemRejected', reason: 'invalid' });
    await Promise.all(numbered);
    expect(await fixture.table.get(key)).toEqual({ ...key, n: 2 });
  });
});

describe('an item that cannot be stored', () => {
  it('is rejected alone when DynamoDB rejects its batch of 25', async () => {
    const puts = putMany('good', 24, 24);
    // An index key must be a text, which only DynamoDB validates.
    const bad = writer.put({ pk: 'good-7', sk: 'bad', gsi1pk: 1, gsi1sk: 'x' });
    await expect(bad).rejects.toMatchObject({ name: 'ItemRejected', reason: 'invalid' });
    await Promise.all(puts);
    expect(await countStored(fixture.table, 'good-7')).toBe(1);
  });

  it('is rejected before it is sent when it is too large', async () => {
    const before = fixture.proxy.requests.length;
    const put = writer.put({ pk: 'large', sk: 'large', text: 'x'.repeat(400 * 1024) });
    await expect(put).rejects.toMatchObject({ name: 'ItemRejected', reason: 'too_large' });
    expect(fixture.proxy.requests).toHaveLength(before);
  });

  it('is rejected when it has no key', async () => {
    await expect(writer.put({ pk: 'only' })).rejects.toThrow(ItemRejected);
  });
});

it('keeps a batch under 16 MB', async () => {
  // 7 times longer as JSON than by DynamoDB's count: 25 of them would be 40 MB.
  const nothings = Array.from({ length: 115_000 }, () => null);
  const puts = Array.from({ length: 12 }, (_, number) =>
    writer.put({ pk: `nothing-${number}`, sk: 'x', nothings }),
  );
  const settled = Promise.allSettled(puts);
  const before = fixture.proxy.of('BatchWriteItem').length;
  fixture.proxy.reply = () => 'hang';
  await until(() => fixture.proxy.of('BatchWriteItem').length > before);
  expect(batchSizes(before)[0]).toBeLessThan(12);
  writer.close();
  await settled;
});

describe('closing', () => {
  it('drains first on request', async () => {
    const puts = putMany('drained', 100);
    await writer.drain();
    expect(writer.pending).toBe(0);
    await Promise.all(puts);
    await writer.drain();
  });

  it('rejects pending puts, in flight or not, and later ones', async () => {
    fixture.proxy.reply = () => 'hang';
    const puts = [...putMany('closed', 200), writer.drain()];
    const settled = Promise.allSettled(puts);
    await until(() => fixture.proxy.of('BatchWriteItem').length > 0);
    writer.close();
    for (const result of await settled) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: expect.any(WriterClosed) as unknown,
      });
    }
    await expect(writer.put({ pk: 'late', sk: 'late' })).rejects.toThrow(WriterClosed);
  });
});
