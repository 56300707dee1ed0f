import { openBeforeAll, openBeforeEach } from '@engawa/testing';
import { accessDenied, throttled } from './fault-proxy.ts';
import { metric, shortMs, startTable, until } from './table-fixture.ts';
import type { Reply } from './fault-proxy.ts';

const fixture = openBeforeAll(() => startTable(undefined, shortMs));
beforeEach(() => {
  fixture.proxy.reply = () => 'forward';
});
const writer = openBeforeEach(() => fixture.table.batchWriter());

const putMany = (pk: string, count: number) =>
  Array.from({ length: count }, (_, number) => writer.put({ pk, sk: String(number) }));

const countStored = async (pk: string) => (await fixture.table.query({ pk })).items.length;

/** Number of received batches with items of this partition key. */
const requestsWith = (pk: string) =>
  fixture.proxy
    .of('BatchWriteItem')
    .filter(({ body }) => JSON.stringify(body).includes(`"pk":{"S":"${pk}"}`)).length;

/** Returns these replies to the first batch, and normal ones afterwards. */
function failOnce(reply: Reply): void {
  let batches = 0;
  fixture.proxy.reply = ({ operation }) =>
    operation === 'BatchWriteItem' && ++batches === 1 ? reply : 'forward';
}

describe('a batch that fails as a whole', () => {
  it.each<Reply>([
    'hang',
    'hang after the head',
    'drip',
    'reset',
    'reset after it took place',
    { status: 500, type: 'InternalServerError' },
    { status: 503, type: 'ServiceUnavailable' },
    { status: 400, type: 'ThrottlingException' },
    { status: 400, type: 'SomethingNewException' },
    throttled,
    accessDenied,
  ])('is retried: %j', async (reply) => {
    failOnce(reply);
    const name = `again ${JSON.stringify(reply)}`;
    await Promise.all(putMany(name, 30));
    expect(await countStored(name)).toBe(30);
  });
});

it('counts batches that fail together as one failure', async () => {
  let batches = 0;
  fixture.proxy.reply = () => (++batches <= 4 ? 'reset' : 'forward');
  const logged = fixture.logged.length;
  await Promise.all(putMany('together', 100));
  expect(fixture.logged.slice(logged)).toEqual([]);
});

describe('a partially processed batch', () => {
  it('is retried with its unprocessed items only', async () => {
    failOnce({ giveBack: ({ sk }) => sk.endsWith('3') });
    const before = fixture.proxy.of('BatchWriteItem').length;
    const unprocessed = () =>
      metric(fixture.registry, 'engawa_table_unprocessed_items_total', {
        operation: 'BatchWriteItem',
      });
    const countedBefore = await unprocessed();
    await Promise.all(putMany('part', 25));
    const [, second] = fixture.proxy.of('BatchWriteItem').slice(before);
    expect(Object.values(second?.body['RequestItems'] ?? {}).flat()).toHaveLength(3);
    expect(await countStored('part')).toBe(25);
    expect(await unprocessed()).toBe(countedBefore + 3);
  });
});

describe('a throttled partition key', () => {
  it('waits in its own queue while all other keys are written', async () => {
    let isHot = true;
    fixture.proxy.reply = () => ({ giveBack: ({ pk }) => isHot && pk === 'hot' });
    const hot = Promise.all(putMany('hot', 500));
    for (let round = 0; round < 20; round++) {
      await Promise.all(
        Array.from({ length: 20 }, (_, n) => writer.put({ pk: `cool-${n}`, sk: `${round}` })),
      );
    }
    expect(writer.pending).toBe(500);
    // Without its own queue, the key would be retried in each of the rounds.
    expect(requestsWith('hot')).toBeLessThan(20);
    const batches = fixture.proxy.of('BatchWriteItem').length;
    isHot = false;
    await hot;
    fixture.proxy.reply = () => 'forward';
    expect(await countStored('hot')).toBe(500);
    expect(fixture.proxy.of('BatchWriteItem').length - batches).toBeLessThan(50);
  });
});

describe('items that fail alone', () => {
  const isOf = ({ body }: { body: object }, pk: string, sk: string) =>
    JSON.stringify(body).includes(`{"pk":{"S":"${pk}"},"sk":{"S":"${sk}"}`);

  it('are stored once the cause ends, also where another item of a key is stored meanwhile', async () => {
    const attempts = { one: 0, two: 0 };
    fixture.proxy.reply = (request) => {
      if (isOf(request, 'one', 'failing')) attempts.one += 1;
      else if (isOf(request, 'two', 'failing')) attempts.two += 1;
      else return 'forward';
      return accessDenied;
    };
    const puts = ['one', 'two'].map((pk) => writer.put({ pk, sk: 'failing' }));
    // Many others are written meanwhile: the table is available, so both items are isolated, and batches are sent
    // together.
    for (let wave = 0; Math.min(attempts.one, attempts.two) < 3; wave++)
      await Promise.all(putMany(`fine-${wave}`, 100));
    const { promise: stored, resolve } = Promise.withResolvers<undefined>();
    let isInFlight = false;
    fixture.proxy.reply = (request) => {
      if (!isOf(request, 'one', 'failing')) return isInFlight ? 'forward' : accessDenied;
      isInFlight = true;
      return { after: stored };
    };
    await until(() => isInFlight);
    await writer.put({ pk: 'one', sk: 'other' });
    resolve(undefined);
    await Promise.all(puts);
    expect([await countStored('one'), await countStored('two')]).toEqual([2, 1]);
  });
});

describe('an unavailable table', () => {
  it.each<[string, Reply, string]>([
    ['access denied', accessDenied, 'access denied to dynamodb:BatchWriteItem'],
    [
      'credentials refused',
      { status: 400, type: 'UnrecognizedClientException' },
      'AWS rejects the credentials (UnrecognizedClientException)',
    ],
    ['gone', { status: 400, type: 'ResourceNotFoundException' }, 'there is no table'],
  ])(
    'buffers all items, reports the reason, and resumes on recovery: %s',
    async (name, reply, sentence) => {
      fixture.proxy.reply = ({ operation }) => (operation === 'BatchWriteItem' ? reply : 'forward');
      const before = fixture.logged.length;
      const logged = () => fixture.logged.slice(before);
      const puts = putMany(name, 100);
      await until(() => logged().length > 0);
      await until(() => fixture.table.unavailableReason()?.startsWith(sentence) === true);
      expect(writer.pending).toBe(100);
      fixture.proxy.reply = () => 'forward';
      await Promise.all(puts);
      await until(() => fixture.table.unavailableReason() === undefined);
      expect(await countStored(name)).toBe(100);
      expect(logged()).toEqual([
        'table writes failing; buffering items',
        'table writes have recovered',
      ]);
    },
  );
});
