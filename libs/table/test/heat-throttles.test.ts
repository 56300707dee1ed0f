import { openBeforeAll } from '@engawa/testing';
import { throttled } from './fault-proxy.ts';
import { RecordingHeat } from './recording-heat.ts';
import { metric, startTable } from './table-fixture.ts';
import type { Table } from '../src/index.ts';
import type { Reply } from './fault-proxy.ts';

const heat = new RecordingHeat();
let table: Table;

const fixture = openBeforeAll(() => startTable(heat));
beforeAll(() => {
  ({ table } = fixture);
});
const writer = openBeforeAll(() => table.batchWriter());
beforeEach(() => {
  fixture.proxy.reply = () => 'forward';
  heat.forget();
});

const key = (pk: string, sk = 's') => ({ pk, sk });
const listed = (list: string) => ({ gsi1pk: list, gsi1sk: 's' });
const arn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/engawa';

/** Returns this reply to the first request of this operation, and normal ones afterwards. */
function failOnce(operation: string, reply: Reply): void {
  let requests = 0;
  fixture.proxy.reply = (request) =>
    request.operation === operation && ++requests === 1 ? reply : 'forward';
}

function exception(type: string, more: object = {}): Reply {
  return { status: 400, type, more };
}

/** Number of attempts of an operation counted as throttled with these labels. */
const counted = (operation: string, labels: Record<string, string>) =>
  metric(fixture.registry, 'engawa_table_throttled_attempts_total', { operation, ...labels });

describe('a batch that is throttled as a whole', () => {
  it('is recorded for each of its keys, with the estimated units', async () => {
    failOnce('BatchWriteItem', throttled);
    const text = 'x'.repeat(2500);
    await Promise.all([writer.put({ ...key('one'), text }), writer.put(key('two'))]);
    const cause = { scope: 'key_range', reason: 'TableWriteKeyRangeThroughputExceeded' };
    const where = { index: 'table', unit: 'write' };
    expect(heat.throttles).toEqual([
      { ...where, ...cause, partition: 'one', units: 3 },
      { ...where, ...cause, partition: 'two', units: 1 },
    ]);
    expect(heat.units('table', 'write')).toBe(4);
  });

  it('by an index is recorded for the keys in that index', async () => {
    const reason = 'IndexWriteKeyRangeThroughputExceeded';
    const throttlingReasons = [{ reason, resource: `${arn}/index/gsi1` }];
    failOnce('BatchWriteItem', exception('ThrottlingException', { throttlingReasons }));
    await Promise.all([
      writer.put({ ...key('in it'), ...listed('LIST'), gsi2pk: 'SEEN', gsi2sk: 's' }),
      writer.put(key('not in it')),
    ]);
    expect(heat.throttles).toEqual([
      { index: 'gsi1', unit: 'write', partition: 'LIST', scope: 'key_range', reason, units: 1 },
    ]);
  });
});

describe('a partially processed batch', () => {
  const labels = { index: 'table', reason: 'unprocessed', scope: 'other' };
  const told = () => heat.throttles.map(({ index, partition }) => `${index} ${partition}`);

  it('is attributed to the unprocessed keys and not to other keys', async () => {
    failOnce('BatchWriteItem', { giveBack: ({ pk }) => pk === 'hot' });
    const before = await counted('BatchWriteItem', labels);
    const items = [key('hot', '1'), key('cold', '1'), key('hot', '2'), key('cold', '2')];
    await Promise.all(items.map((item) => writer.put(item)));
    expect(told()).toEqual(['table hot', 'table hot']);
    expect(heat.throttles[0]).toMatchObject({ scope: 'other', reason: 'unprocessed', units: 1 });
    expect(await counted('BatchWriteItem', labels)).toBe(before + 1);
    // Units of the first attempt are not counted again.
    expect(heat.units('table', 'write', 'cold')).toBe(2);
    expect(heat.units('table', 'write', 'hot')).toBe(2);
  });

  it('is attributed to a key in an index where that key is the hottest', async () => {
    const items = Array.from({ length: 20 }, (_, number) => ({
      ...key(`item${number}`),
      ...listed('HOT LIST'),
    }));
    await Promise.all(items.map((item) => writer.put(item)));
    failOnce('BatchWriteItem', { giveBack: ({ pk }) => pk === 'one more' });
    const more = { ...key('one more'), ...listed('HOT LIST') };
    const before = await counted('BatchWriteItem', { ...labels, index: 'gsi1' });
    await Promise.all([writer.put(more), writer.put({ ...key('other'), ...listed('LIST') })]);
    expect(told()).toEqual(['gsi1 HOT LIST']);
    expect(await counted('BatchWriteItem', { ...labels, index: 'gsi1' })).toBe(before + 1);
  });

  it('of deletions is attributed to the key of the table', async () => {
    const keys = [key('a'), key('b'), key('c')];
    for (const each of keys) await table.put(each);
    heat.forget();
    failOnce('BatchWriteItem', { giveBack: ({ pk }) => pk === 'b' });
    await table.deleteAll(keys);
    expect(told()).toEqual(['table b']);
    expect(heat.units('table', 'write')).toBe(3);
  });
});

describe('a cancelled transaction', () => {
  const cancelled = (CancellationReasons: object[]) =>
    exception('TransactionCanceledException', { CancellationReasons });
  const writes = [
    { put: { ...key('t1'), ...listed('T LIST') } },
    { update: key('t2'), set: { n: 1 } },
    { delete: key('t3') },
  ];

  it.each(['ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'is attributed to the action with %s, and to no other',
    async (Code) => {
      const other = { Code: 'None' };
      failOnce('TransactWriteItems', cancelled([other, { Code }, other]));
      const labels = { index: 'table', reason: Code, scope: 'other' };
      const before = await counted('TransactWriteItems', labels);
      await table.transact(writes).catch(() => undefined);
      expect(heat.throttles).toEqual([
        { index: 'table', unit: 'write', partition: 't2', scope: 'other', reason: Code, units: 2 },
      ]);
      expect(await counted('TransactWriteItems', labels)).toBe(before + 1);
    },
  );

  it('is attributed to an index where DynamoDB names one', async () => {
    const Message =
      'Throughput exceeds the current capacity for one or more global secondary indexes.';
    failOnce('TransactWriteItems', cancelled([{ Code: 'ThrottlingError', Message }]));
    await table.transact(writes).catch(() => undefined);
    expect(heat.throttles).toMatchObject([{ index: 'gsi1', partition: 'T LIST' }]);
  });

  it('is not a throttle when a condition failed', async () => {
    failOnce('TransactWriteItems', cancelled([{ Code: 'ConditionalCheckFailed' }]));
    const before = await counted('TransactWriteItems', {});
    await table.transact(writes).catch(() => undefined);
    expect(heat.throttles).toEqual([]);
    expect(await counted('TransactWriteItems', {})).toBe(before);
  });
});

describe('an update that leaves its index key unchanged', () => {
  const reason = 'IndexWriteKeyRangeThroughputExceeded';
  const throttlingReasons = [{ reason, resource: `${arn}/index/gsi2` }];
  const ranked = { gsi2pk: 'A#song#plays#0', gsi2sk: '1' };
  const update = (pk: string) => table.update(key(pk), { set: { gsi2sk: '2' } });

  it('is attributed to the key that the item had at its last update', async () => {
    await table.update(key('song'), { set: ranked });
    failOnce('UpdateItem', exception('ThrottlingException', { throttlingReasons }));
    await update('song');
    expect(heat.throttles).toMatchObject([
      { index: 'gsi2', partition: 'A#song#plays#0', scope: 'key_range', reason },
    ]);
  });

  it('is a throttle of the index where the item is not known', async () => {
    failOnce('UpdateItem', exception('ThrottlingException', { throttlingReasons }));
    await update('unknown song');
    expect(heat.throttles).toEqual([]);
    expect(heat.throttling(performance.now())).toContainEqual(
      expect.objectContaining({ index: 'gsi2', unit: 'write', scope: 'key_range', reason }),
    );
  });
});

describe('a throttled Query', () => {
  it('is recorded for its partition key', async () => {
    const reason = 'IndexReadKeyRangeThroughputExceeded';
    const ThrottlingReasons = [{ reason, resource: `${arn}/index/gsi2` }];
    const type = 'ProvisionedThroughputExceededException';
    failOnce('Query', exception(type, { ThrottlingReasons }));
    await table.query({ index: 'gsi2', pk: 'SEEN', sk: { beginsWith: 'a' } });
    expect(heat.throttles).toEqual([
      { index: 'gsi2', unit: 'read', partition: 'SEEN', scope: 'key_range', reason, units: 0.5 },
    ]);
  });

  it('is recorded without a reason from DynamoDB, too', async () => {
    failOnce('GetItem', exception('ThrottlingException'));
    await table.get(key('asked'), { consistent: true });
    expect(heat.throttles).toMatchObject([
      { index: 'table', unit: 'read', partition: 'asked', reason: 'unknown', units: 1 },
    ]);
  });
});

it('sends no internal fields of its commands', async () => {
  const before = fixture.proxy.of('BatchWriteItem').length;
  await writer.put({ ...key('sent'), ...listed('LIST') });
  const [sent] = fixture.proxy.of('BatchWriteItem').slice(before);
  const Item = { pk: { S: 'sent' }, sk: { S: 's' }, gsi1pk: { S: 'LIST' }, gsi1sk: { S: 's' } };
  expect(sent?.body).toEqual({
    RequestItems: { [table.tableName]: [{ PutRequest: { Item } }] },
    ReturnConsumedCapacity: 'INDEXES',
  });
});
