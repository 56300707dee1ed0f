import { openBeforeAll, openBeforeEach } from '@engawa/testing';
import { KeyThrottled } from '../src/index.ts';
import { throttled } from './fault-proxy.ts';
import { startTable, until } from './table-fixture.ts';

const fixture = openBeforeAll(startTable);
/** The partition keys that DynamoDB throttles. */
let throttledKeys: Set<string>;
beforeEach(() => {
  throttledKeys = new Set();
  fixture.proxy.reply = ({ operation }) =>
    operation === 'BatchWriteItem' ? { giveBack: ({ pk }) => throttledKeys.has(pk) } : 'forward';
});
const writer = openBeforeEach(() => fixture.table.batchWriter());

const put = (pk: string, sk: string, whenThrottled?: 'wait' | 'reject') =>
  writer.put({ pk, sk, whenThrottled: whenThrottled ?? '-' }, { whenThrottled });

/** Number of writes of items with this partition key. */
const timesSent = (pk: string) =>
  fixture.proxy
    .of('BatchWriteItem')
    .flatMap(({ body }) => JSON.stringify(body).split(`"pk":{"S":"${pk}"}`).slice(1)).length;

const keys = (name: string, count: number) =>
  Array.from({ length: count }, (_, number) => `${name}-${number}#x`);

describe('a put with whenThrottled reject', () => {
  it('is rejected when DynamoDB returns it from a batch, and is not sent again', async () => {
    throttledKeys.add('hot');
    const neighbour = put('cool', '1', 'reject');
    await expect(put('hot', '1', 'reject')).rejects.toThrow(KeyThrottled);
    await neighbour;
    await writer.drain();
    // The next put finds no earlier attempt in flight.
    await Promise.all(keys('others', 100).map((pk) => put(pk, '1')));
    expect(timesSent('hot')).toBe(1);
    expect(writer.pending).toBe(0);
  });

  it('is rejected when the whole request is throttled for its key', async () => {
    let attempts = 0;
    fixture.proxy.reply = () => (++attempts === 1 ? throttled : 'forward');
    const rejected = put('whole', '1', 'reject');
    await expect(rejected).rejects.toMatchObject({ name: 'KeyThrottled', pk: 'whole' });
    await writer.drain();
  });

  it('is rejected at once while other puts of its key wait', async () => {
    throttledKeys.add('queue');
    const waiting = put('queue', '1');
    await until(() => writer.isThrottled('queue'));
    await put('queue', '2', 'reject').catch((error: unknown) => {
      expect(error).toBeInstanceOf(KeyThrottled);
    });
    const sent = JSON.stringify(fixture.proxy.of('BatchWriteItem'));
    expect(sent).not.toContain('"pk":{"S":"queue"},"sk":{"S":"2"}');
    throttledKeys.clear();
    await waiting;
  });

  it('is rejected together with all puts of its key that wait for a free request', async () => {
    throttledKeys.add('many');
    const puts = Array.from({ length: 500 }, (_, number) => put('many', `${number}`, 'reject'));
    const settled = await Promise.allSettled(puts);
    expect(new Set(settled.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(writer.pending).toBe(0);
    // The first response of four batches in flight informs the others.
    expect(timesSent('many')).toBeLessThanOrEqual(100);
  });

  it('is retried, one at a time, as soon as its key accepts items', async () => {
    throttledKeys.add('again');
    const tryOnce = () =>
      put('again', '1', 'reject').then(
        () => true,
        () => false,
      );
    expect(await tryOnce()).toBe(false);
    throttledKeys.clear();
    await until(() => fixture.proxy.of('BatchWriteItem').length > 0);
    let stored = await tryOnce();
    while (!stored) {
      await new Promise(setImmediate);
      stored = await tryOnce();
    }
    expect(writer.hasThrottledKeys).toBe(false);
  });
});

describe('puts of one item with mixed whenThrottled options', () => {
  it('share one write: waiting calls resolve when it is stored', async () => {
    throttledKeys.add('shared');
    const item = { pk: 'shared', sk: 'x', content: 'the same' };
    const [waits, rejects] = [writer.put(item), writer.put(item, { whenThrottled: 'reject' })];
    await expect(rejects).rejects.toThrow(KeyThrottled);
    expect(writer.pending).toBe(1);
    throttledKeys.clear();
    await waits;
    expect(await fixture.table.get({ pk: 'shared', sk: 'x' })).toEqual(item);
  });

  it('are rejected or stored in the order of their calls', async () => {
    throttledKeys.add('order');
    const calls = (['wait', 'reject', 'wait', 'reject'] as const).map((whenThrottled, number) =>
      writer.put({ pk: 'order', sk: 'x', number }, { whenThrottled }),
    );
    const settled = Promise.allSettled(calls);
    await until(() => writer.pending === 2);
    throttledKeys.clear();
    expect((await settled).map(({ status }) => status)).toEqual([
      ...['fulfilled', 'rejected', 'fulfilled', 'rejected'],
    ]);
    expect(await fixture.table.get({ pk: 'order', sk: 'x' })).toMatchObject({ number: 2 });
  });
});

describe('a put with whenThrottled reject waits', () => {
  it('while every key is throttled', async () => {
    const all = keys('all', 25);
    for (const pk of all) throttledKeys.add(pk);
    const puts = all.map((pk) => put(pk, '1', 'reject'));
    await until(() => writer.throttlesAll);
    expect(writer.pending).toBe(25);
    const late = put(all[0] ?? '', '2', 'reject');
    throttledKeys.clear();
    await Promise.all([...puts, late]);
  });

  it.each<[string, object | undefined]>([
    [
      'ProvisionedThroughputExceededException',
      { reason: 'TableWriteProvisionedThroughputExceeded' },
    ],
    ['ThrottlingException', { reason: 'TableWriteAccountLimitExceeded' }],
    ['RequestLimitExceeded', undefined],
  ])('while DynamoDB reports the table or the account as throttled (%s)', async (type, reason) => {
    let attempts = 0;
    const more = { ThrottlingReasons: reason && [reason] };
    const refusal = { status: 400, type, more };
    fixture.proxy.reply = () => (++attempts <= 2 ? refusal : 'forward');
    await put(type, '1', 'reject');
    expect(attempts).toBe(3);
  });

  it('while requests fail as a whole', async () => {
    let attempts = 0;
    throttledKeys.add('down');
    await expect(put('down', '0', 'reject')).rejects.toThrow(KeyThrottled);
    fixture.proxy.reply = () => (++attempts <= 3 ? 'reset' : 'forward');
    const other = put('other', '1');
    await until(() => attempts > 0);
    await until(() => !writer.isThrottled('down'));
    await put('down', '1', 'reject');
    await other;
  });
});

it('requests of throttled keys do not delay an item of another key', async () => {
  const shards = Array.from({ length: 16 }, (_, shard) => `DEVICE#hot#${shard}`);
  const slow = Promise.withResolvers<unknown>();
  fixture.proxy.reply = ({ body }) =>
    JSON.stringify(body).includes('DEVICE#hot') ? { giveBack: () => true } : 'forward';
  // At most three fit into a request, so that they are more requests than may be in flight at first.
  const text = 'x'.repeat(300_000);
  const puts = shards.map((pk) => writer.put({ pk, sk: '1', text }));
  await until(() => shards.every((pk) => writer.isThrottled(pk)));
  let waiting = 0;
  fixture.proxy.reply = ({ body }) => {
    if (!JSON.stringify(body).includes('DEVICE#hot')) return 'forward';
    waiting += 1;
    return { after: slow.promise };
  };
  await until(() => waiting >= 4);
  await put('cool', '1');
  slow.resolve(undefined);
  await Promise.all(puts);
});
