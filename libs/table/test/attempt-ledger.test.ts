import { keyAttributes } from '../src/items/item-id.ts';
import { Registry } from 'prom-client';
import { AttemptLedger } from '../src/heat/attempt-ledger.ts';
import { TableMetrics } from '../src/index.ts';
import { transactionInput } from '../src/write/write-request.ts';
import { RecordingHeat } from './recording-heat.ts';
import { metric } from './table-fixture.ts';
import type { Write } from '../src/index.ts';

/** Responses of DynamoDB that the embedded engine does not give. */
function kept() {
  const heat = new RecordingHeat();
  const registry = new Registry();
  const ledger = new AttemptLedger({ heat, metrics: new TableMetrics(registry) });
  const throttled = () => metric(registry, 'engawa_table_throttled_attempts_total');
  return { heat, ledger, throttled };
}

const operation = 'TransactWriteItems';
const entry = (...writes: Write[]) => ({
  operation,
  index: 'table',
  input: { TransactItems: writes.map((write) => transactionInput('t', write)) },
});
const key = (pk: string) => ({ pk, sk: 's' });
const put: Write = { put: { ...key('new'), gsi1pk: 'NEW', gsi1sk: 's' } };
const capacity = (table: number, gsi1: number) => ({
  ConsumedCapacity: [
    { Table: { CapacityUnits: table }, GlobalSecondaryIndexes: { gsi1: { CapacityUnits: gsi1 } } },
  ],
});

it('attributes units of an unknown index key to no key', () => {
  const { heat, ledger } = kept();
  ledger.succeeded(entry(put, { delete: key('old') }), capacity(4, 4));
  expect(heat.units('gsi1', 'write')).toBe(2);
  expect(heat.units('table', 'write')).toBe(4);
});

it('attributes all units to the known keys where every key is known', () => {
  const { heat, ledger } = kept();
  // The item was at another key of the index before.
  ledger.succeeded(entry(put, { check: key('checked'), onlyIf: () => '' }), capacity(4, 4));
  expect(heat.units('gsi1', 'write', 'NEW')).toBe(4);
});

it('counts the retry of a completed transaction as reads', () => {
  const { heat, ledger } = kept();
  const Table = { CapacityUnits: 2, ReadCapacityUnits: 2 };
  ledger.succeeded(entry(put), { ConsumedCapacity: [{ Table }] });
  expect(heat.uses).toEqual([{ index: 'table', unit: 'read', partition: 'new', units: 2 }]);
});

it('attributes a throttle to the unit of its reason, each reason once', async () => {
  const { heat, ledger, throttled } = kept();
  const reason = 'TableReadKeyRangeThroughputExceeded';
  const ThrottlingReasons = [{ reason }, { reason }];
  const name = 'ProvisionedThroughputExceededException';
  ledger.failed(entry(put), { name, ThrottlingReasons });
  expect(heat.throttles).toMatchObject([{ index: 'table', unit: 'read', partition: 'new' }]);
  expect(await throttled()).toBe(1);
});

describe('keys that BatchGetItem returned unprocessed', () => {
  const Keys = ['a', 'b'].map(key).map(keyAttributes);
  const request = {
    operation: 'BatchGetItem',
    index: 'table',
    input: { RequestItems: { t: { Keys } } },
  };
  const answer = (CapacityUnits: number) => ({
    ConsumedCapacity: [{ CapacityUnits }],
    UnprocessedKeys: { t: { Keys: Keys.slice(1) } },
  });

  it('were throttled', async () => {
    const { heat, ledger, throttled } = kept();
    ledger.succeeded(request, answer(100));
    expect(heat.throttles).toMatchObject([{ unit: 'read', partition: 'b', units: 0.5 }]);
    expect(heat.uses).toEqual([{ index: 'table', unit: 'read', partition: 'a', units: 100 }]);
    expect(await throttled()).toBe(1);
  });

  it('were not throttled after a full response: 16 MB', async () => {
    const { heat, ledger, throttled } = kept();
    ledger.succeeded(request, answer(2000));
    expect(heat.throttles).toEqual([]);
    expect(heat.units('table', 'read', 'a')).toBe(2000);
    expect(await throttled()).toBe(0);
  });

  it.each([
    [20, 1],
    [40, 0],
  ])('without reported capacity count by size: %i items of 400 KB', async (items, throttles) => {
    const { ledger, throttled } = kept();
    const numbers = Array.from({ length: items + 1 }, (_, number) => key(`${number}`));
    const Keys = numbers.map(keyAttributes);
    const input = { RequestItems: { t: { Keys } } };
    const Responses = {
      t: Keys.slice(1).map((one) => ({ ...one, text: { S: 'x'.repeat(400_000) } })),
    };
    const UnprocessedKeys = { t: { Keys: Keys.slice(0, 1) } };
    ledger.succeeded({ ...request, input }, { Responses, UnprocessedKeys });
    expect(await throttled()).toBe(throttles);
  });
});

it('charges by size where no capacity is reported', () => {
  const { heat, ledger } = kept();
  ledger.succeeded(entry(put, { delete: key('old') }), {});
  expect(heat.uses.map(({ index, partition, units }) => [index, partition, units])).toEqual([
    ['table', 'new', 2],
    ['table', 'old', 2],
    ['gsi1', 'NEW', 2],
  ]);
});

describe('with only a reported total', () => {
  const text = { text: 'x'.repeat(1500) };
  const large: Write = { put: { ...key('new'), gsi1pk: 'NEW', gsi1sk: 's', ...text } };
  const told = (sum: number, ...writes: Write[]) => {
    const { heat, ledger } = kept();
    ledger.succeeded(entry(...writes), { ConsumedCapacity: [{ CapacityUnits: sum }] });
    return ['table', 'gsi1'].map((index) => heat.units(index, 'write'));
  };

  it.each([
    ['that includes the indexes, as from DynamoDB', 8, [4, 4]],
    ['that excludes the indexes, as from Alternator', 4, [4, 4]],
    ['above the size: the item replaced a larger one', 14, [10, 4]],
  ])('charges each index by size: %s', (_, sum, expected) => {
    expect(told(sum, large)).toEqual(expected);
  });

  it('charges the table for all units of items with unknown size', () => {
    expect(told(14, { delete: key('old') })).toEqual([14, 0]);
  });
});

it('records no units for requests without capacity, and no heat without a heat recorder', () => {
  const { heat, ledger, throttled } = kept();
  ledger.succeeded({ operation: 'DescribeTable', index: 'table', input: {} }, {});
  ledger.failed(entry(put), { name: 'TimeoutError' });
  expect([...heat.uses, ...heat.throttles]).toEqual([]);
  const alone = new AttemptLedger({ metrics: new TableMetrics(new Registry()) });
  alone.succeeded(entry(put), capacity(2, 2));
  alone.failed(entry(put), { name: 'ThrottlingException' });
  return expect(throttled()).resolves.toBe(0);
});

describe('a throttle without a key', () => {
  const blamed = (used: object, error: object) => {
    const { heat, ledger } = kept();
    ledger.succeeded(entry(put), used);
    ledger.failed(entry(put), error);
    return heat.throttles.map(({ index, partition }) => `${index} ${partition}`);
  };
  const cancelled = (Message: string) => ({
    name: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'ThrottlingError', Message }],
  });

  it('is attributed to the hottest key of the request', () => {
    expect(blamed(capacity(2, 5000), { name: 'ThrottlingException' })).toEqual(['gsi1 NEW']);
    expect(blamed(capacity(5000, 2), { name: 'ThrottlingException' })).toEqual(['table new']);
  });

  it('of a cancelled action is attributed to an index if DynamoDB names it or it is the hottest', () => {
    expect(blamed(capacity(5000, 2), cancelled('Throughput exceeds'))).toEqual(['table new']);
    expect(blamed(capacity(2, 5000), cancelled('Throughput exceeds'))).toEqual(['gsi1 NEW']);
    const ofIndex = cancelled('Throughput exceeds that of a global secondary index');
    expect(blamed(capacity(5000, 2), ofIndex)).toEqual(['gsi1 NEW']);
  });
});

it.each([
  [3000, 100, 3],
  [100, 3000, 3],
  [undefined, 100, 1],
])(
  'charges a failed conditional write by the larger item: %s bytes existing, %s bytes new',
  (there, size, units) => {
    const { heat, ledger } = kept();
    const item = (bytes: number) => ({
      pk: { S: 'p' },
      sk: { S: 's' },
      x: { S: 'x'.repeat(bytes) },
    });
    ledger.failed(
      { operation: 'PutItem', index: 'table', input: { Item: item(size) } },
      {
        name: 'ConditionalCheckFailedException',
        ...(there !== undefined && { Item: item(there) }),
      },
    );
    expect(heat.units('table', 'write', 'p')).toBe(units);
  },
);
