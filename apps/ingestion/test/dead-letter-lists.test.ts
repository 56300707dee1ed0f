import { deadLetterPartition } from '@engawa/keys';
import {
  deadLetterId,
  deadLetterItems,
  deadLetterPartBytes,
  deadLettersSpreadItem,
  formerDeadLetterPrefix,
} from '@engawa/model';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { DeadLetter } from '@engawa/model';

interface Listed {
  id: string;
  receivedAt: string;
  topic: string;
  reason: string;
  incomplete?: unknown;
}
interface Page {
  items: Listed[];
  cursor?: string;
}

let fixture: IngestionFixture;
const open = async () => (fixture = await IngestionFixture.open());
const close = () => fixture.close();

/** Yesterday, so that no midnight comes between the letters. */
const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const start = Date.parse(day);
const orders = ['ascending', 'descending'] as const;

interface Given extends Partial<Pick<DeadLetter, 'topic' | 'reason' | 'id'>> {
  /** Milliseconds after the start of the day. */
  at: number;
  shard?: number;
  parts?: number;
}

/** A hash without an order, as of other payloads. */
const hashOf = (at: number) => Buffer.from([(at * 151) % 256, (at * 7) % 256, at % 256, 0, 0]);

async function write({ at, shard = 0, parts = 1, ...given }: Given): Promise<string> {
  const receivedAt = start + at;
  const id = deadLetterId({ receivedAt, unique: Buffer.alloc(5), delivery: hashOf(at) });
  const payload = Buffer.alloc((parts - 1) * deadLetterPartBytes + 1, 'x');
  const letter: DeadLetter = {
    ...{ id, reason: 'malformed', detail: 'no JSON', topic: 'engawa/t/readings' },
    ...{ receivedAt, payload, properties: [], ...given },
  };
  for (const item of deadLetterItems(letter, shard)) await fixture.table.put(item);
  return letter.id;
}

async function pages(query: string): Promise<Listed[][]> {
  const found: Listed[][] = [];
  let cursor: string | undefined;
  do {
    const next = cursor === undefined ? '' : `&cursor=${cursor}`;
    const answer = await fixture.ask(`/v1/deadLetters?day=${day}&${query}${next}`);
    expect(answer.status).toBe(200);
    const page = answer.body as Page;
    found.push(page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}

const timesOf = (listed: readonly Listed[]) =>
  listed.map(({ receivedAt }) => Date.parse(receivedAt) - start);
const list = async (query: string) => timesOf((await pages(query)).flat());

describe('the dead letters of a day are ordered by the time of their receipt', () => {
  beforeEach(open);
  afterEach(close);

  const times = [5, 30, 2, 77_000_000, 400, 9, 86_399_999];
  const sorted = times.toSorted((left, right) => left - right);

  it.each([1, 2, 3, 100])('newest first, or oldest first, in pages of %d', async (limit) => {
    await fixture.start();
    for (const at of times) await write({ at });
    expect(await list(`limit=${limit}`)).toEqual(sorted.toReversed());
    expect(await list(`limit=${limit}&order=descending`)).toEqual(sorted.toReversed());
    expect(await list(`limit=${limit}&order=ascending`)).toEqual(sorted);
  });

  it('as a device has published them', async () => {
    await fixture.start();
    const payloads = Array.from({ length: 20 }, (_, index) => `${index}x`);
    for (const payload of payloads) await fixture.publish('engawa/t/readings', payload);
    await fixture.settled(payloads.length);
    const { body } = await fixture.ask('/v1/deadLetters?order=ascending');
    const texts: unknown[] = [];
    for (const { id } of (body as Page).items) {
      const letter = await fixture.ask(`/v1/deadLetters/${id}`);
      texts.push((letter.body as { text?: string }).text);
    }
    expect(texts).toEqual(payloads);
  });

  it.each([1, 3, 100])('over all shards, each once, in pages of %d', async (limit) => {
    await fixture.start();
    const many = Array.from({ length: 40 }, (_, index) => index * 1000);
    for (const at of many) await write({ at, shard: (at * 11) % 64 });
    for (const shard of [0, 63]) await write({ at: 12_345, shard });
    expect(await list('order=ascending')).not.toHaveLength(many.length + 1);
    await fixture.table.put(deadLettersSpreadItem(start));
    const expected = [...many, 12_345].sort((left, right) => left - right);
    expect(await list(`order=ascending&limit=${limit}`)).toEqual(expected);
    expect(await list(`limit=${limit}`)).toEqual(expected.toReversed());
  });

  it('with those of 0.2.0 as the oldest', async () => {
    await fixture.start();
    for (const at of [300, 200, 100]) {
      const name = { receivedAt: start + at, delivery: hashOf(at) };
      await write({ at, id: `${formerDeadLetterPrefix(name)}00000000` });
    }
    for (const at of [20, 10]) await write({ at });
    const ascending = await list('order=ascending&limit=2');
    expect(ascending.slice(3)).toEqual([10, 20]);
    expect(ascending.slice(0, 3).toSorted()).toEqual([100, 200, 300]);
    expect(await list('limit=2')).toEqual(ascending.toReversed());
  });

  it.each(orders)('%s, with letters of several parts, of which some are missing', async (order) => {
    await fixture.start();
    const ids: string[] = [];
    for (const [at, parts] of [1, 3, 2, 8, 1].entries()) ids.push(await write({ at, parts }));
    await fixture.table.delete({ pk: deadLetterPartition(day, 0), sk: `${ids[1]}#0001` });
    await fixture.table.delete({ pk: deadLetterPartition(day, 0), sk: `${ids[3]}#0007` });
    // Parts without a head are not listed.
    await fixture.table.delete({ pk: deadLetterPartition(day, 0), sk: ids[2] ?? '' });
    for (const limit of [1, 2, 100]) {
      const listed = (await pages(`order=${order}&limit=${limit}`)).flat();
      const inOrder = order === 'ascending' ? listed : listed.toReversed();
      expect(timesOf(inOrder)).toEqual([0, 1, 3, 4]);
      expect(inOrder.map(({ incomplete }) => incomplete !== undefined)).toEqual([
        ...[false, true, true, false],
      ]);
    }
  });

  it('with a cursor that stays valid while letters are removed and added', async () => {
    await fixture.start();
    const ids: string[] = [];
    for (const at of [10, 20, 30, 40]) ids.push(await write({ at }));
    const first = await fixture.ask(`/v1/deadLetters?day=${day}&limit=2`);
    const { items, cursor } = first.body as Required<Page>;
    expect(timesOf(items)).toEqual([40, 30]);
    // The last of the first page, and the next one.
    for (const id of ids.slice(1, 3))
      await fixture.ask(`/v1/deadLetters/${id}`, { method: 'DELETE' });
    for (const at of [15, 35]) await write({ at });
    const next = await fixture.ask(`/v1/deadLetters?day=${day}&limit=2&cursor=${cursor}`);
    expect(timesOf((next.body as Page).items)).toEqual([15, 10]);
    const other = await fixture.ask(
      `/v1/deadLetters?day=${day}&limit=2&order=ascending&cursor=${cursor}`,
    );
    expect(other).toMatchObject({ status: 400, body: { type: '/problems/invalid-cursor' } });
  });
});

async function seed(): Promise<void> {
  await fixture.start({ DECODERS: 'native,zigbee2mqtt=home/z2m/#,sparkplug' });
  const topics = ['engawa/a/readings', 'engawa/b/readings', 'home/z2m/hall/lamp', 'other/a'];
  const reasons = ['malformed', 'bad_field', 'malformed', 'no_decoder'] as const;
  for (let at = 0; at < 40; at++) {
    await write({ at, topic: topics[at % 4] ?? '', reason: reasons[at % 4] ?? 'malformed' });
  }
  await write({ at: 100, topic: 'spBv1.0/plant/DDATA/line/a', reason: 'unknown_alias' });
  await write({ at: 101, topic: 'spBv1.0/plant/NDATA/line', reason: 'unknown_alias' });
}
const ofTurn = (...turns: number[]) =>
  Array.from({ length: 40 }, (_, at) => at).filter((at) => turns.includes(at % 4));

describe('dead letters are filtered', () => {
  beforeAll(async () => {
    await open();
    await seed();
  });
  afterAll(close);

  it.each<[string, number[]]>([
    ['reason=bad_field', ofTurn(1)],
    ['topic=engawa/b/readings', ofTurn(1)],
    ['topic=engawa/%2B/readings', ofTurn(0, 1)],
    ['topic=home/%23', ofTurn(2)],
    ['topic=%23', [...ofTurn(0, 1, 2, 3), 100, 101]],
    ['device=a', ofTurn(0)],
    ['device=hall/lamp', ofTurn(2)],
    ['device=plant/line/a', [100]],
    ['device=plant/line', [101]],
    ['device=c', []],
    ['device=a&reason=malformed&topic=engawa/%23', ofTurn(0)],
    ['device=a&reason=bad_field', []],
  ])('by %s', async (filter, expected) => {
    for (const limit of [3, 1000]) {
      expect(await list(`order=ascending&limit=${limit}&${filter}`)).toEqual(expected);
      expect(await list(`limit=${limit}&${filter}`)).toEqual(expected.toReversed());
    }
  });

  it.each(['topic=', 'topic=a%2Bb', 'topic=%23/a', 'device=..', 'reason=other', 'order=newest'])(
    'but not by %s',
    async (query) => {
      expect(await fixture.ask(`/v1/deadLetters?${query}`)).toMatchObject({ status: 400 });
    },
  );
});

describe('dead letters are filtered, too,', () => {
  beforeEach(open);
  afterEach(close);

  it('where a page that has read enough is short, with a cursor', async () => {
    await fixture.start({ REQUEST_UNIT_LIMIT: '1' });
    for (let at = 0; at < 200; at++) await write({ at });
    await write({ at: 300, topic: 'engawa/rare/readings' });
    const found = await pages('order=ascending&limit=2&device=rare');
    expect(found.length).toBeGreaterThan(2);
    expect(timesOf(found.flat())).toEqual([300]);
  });

  it('when many are discarded or replayed, the oldest first', async () => {
    await seed();
    const discard = async (body: object) =>
      (await fixture.post('/v1/deadLetters/discard', JSON.stringify({ day, ...body }))).body;
    expect(await discard({ device: 'hall/lamp' })).toEqual({ discarded: 10, missing: 0 });
    expect(await discard({ topic: 'engawa/+/readings', reason: 'bad_field' })).toEqual({
      ...{ discarded: 10, missing: 0 },
    });
    const { body } = await fixture.post(
      '/v1/deadLetters/replay',
      JSON.stringify({ day, device: 'a' }),
    );
    expect((body as { stayed: unknown[] }).stayed).toHaveLength(10);
    expect(await list('order=ascending')).toEqual([...ofTurn(0, 3), 100, 101]);
    const ambiguous = { ids: ['01J00000000000000000000000'], device: 'a' };
    const refused = await fixture.post('/v1/deadLetters/discard', JSON.stringify(ambiguous));
    expect(refused).toMatchObject({ status: 400 });
  });
});
