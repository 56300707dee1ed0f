import { devicePartition, deviceListPartition, deviceSeenPartition } from '@engawa/keys';
import {
  blockItem,
  correctionItem,
  Decimal,
  deadLetterItems,
  deviceItem,
  invalidRollupItem,
  itemSize,
  membershipItem,
  parkedBlockItem,
} from '@engawa/model';
import { aDevice, aReading, openBeforeAll, until } from '@engawa/testing';
import { QueryFixture } from './query-fixture.ts';
import { browse, itemsPath } from './table-items.ts';
import type { TableItemsPage } from './table-items.ts';

const start = Date.UTC(2026, 10, 20, 9);
const minute = 60_000;
const exact = new Decimal('123456789012345678901234.5');
const readings = [
  aReading({ time: start, fields: { energy: exact, contact: 'open', motion: true } }),
  aReading({ time: start + minute, fields: { energy: 2, battery: null } }),
];
const shown = [
  { time: '2026-11-20T09:00:00.000Z', fields: { contact: 'open', energy: exact, motion: true } },
  { time: '2026-11-20T09:01:00.000Z', fields: { battery: null, energy: 2 } },
];
const block = blockItem({ device: 'meter', readings, ttl: 1_800_000_000 });
const device = deviceItem(aDevice({ id: 'meter', name: 'Meter', labels: { floor: '2' } }), {
  list: 1,
  seen: 1,
});
const pk = devicePartition('meter');

const query = openBeforeAll(() => QueryFixture.open());
beforeAll(() => query.putAll([block, device]));

describe('the items of a device', () => {
  it('are its blocks and itself, with their keys, sizes, raw attributes and readings', async () => {
    const { items, families, consumed } = await browse(query, { pk });
    expect(items.map(({ kind }) => kind)).toEqual(['block', 'device']);
    expect(families).toEqual(['device', 'block', 'rollup', 'correction', 'correctionRow']);
    expect(consumed).toEqual({ units: 0.5, requests: 1, isReported: true });
    const [first, second] = items;
    expect(first?.key).toEqual({ pk, sk: block.sk });
    expect(first?.bytes).toBe(itemSize({ ...block }));
    expect(first?.attributes).toMatchObject({
      pk: { S: pk },
      ttl: { N: '1800000000' },
      offsets: { L: [{ N: '60000' }, { N: '0' }] },
      fields: { M: { energy: { L: [{ N: exact.digits }, { N: '2' }] } } },
    });
    expect(first?.decoded).toMatchObject({
      key: { device: 'meter', shard: 0, newest: start + minute },
      values: { ttl: 1_800_000_000 },
    });
    expect(second?.bytes).toBe(itemSize(device));
    expect(second?.decoded).toMatchObject({
      key: { device: 'meter' },
      values: { name: 'Meter', data: { labels: { floor: '2' } } },
    });
    expect(second?.decoded.readings).toBeUndefined();
  });

  it('are decoded with all digits', async () => {
    const { text } = await query.askPlainly(itemsPath({ pk, skPrefix: '#TS#' }));
    expect(text).toContain(`"readings":${JSON.stringify(shown)}`);
    expect(text).toContain(`{"N":"${exact.digits}"}`);
  });
});

describe('the items of a key of another application', () => {
  it.each(['$', 'LIST#DEVICE#x', 'order#$17', '注文'])('%s', async (other) => {
    await query.putAll([{ pk: other, sk: 'total', note: 'of another application' }]);
    const { items } = await browse(query, { pk: other });
    expect(items.map(({ kind }) => kind)).toEqual(['unknown']);
    // The request for the key is in the heat of this process.
    const { body } = await query.ask('/v1/hot-partitions?limit=100');
    const { partitions } = body as { partitions: { partition: string; kind: string }[] };
    expect(partitions).toContainEqual(
      expect.objectContaining({ partition: other, kind: 'unknown' }),
    );
    await until('the key in the heat history', async () => {
      const history = await query.ask('/v1/hot-partitions/history?resolution=second');
      return history.text.includes(JSON.stringify(other));
    });
  });
});

describe('the items of other kinds', () => {
  const correction = {
    ...{ device: 'meter', id: 'fix', sequence: 1, operation: 'replace' as const },
    ...{ from: start, to: start + minute, readings, why: 'test', madeAt: start },
  };
  const [letter] = deadLetterItems(
    {
      ...{ id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', reason: 'malformed', detail: 'not JSON' },
      ...{ topic: 'a/b', payload: Buffer.from([0, 255, 1]), properties: [], receivedAt: start },
    },
    0,
  );
  const parked = parkedBlockItem('meter', readings, { owner: 'one', parkedAt: start });
  it.each([
    ['correction', correctionItem(correction), { operation: 'replace', why: 'test' }, shown],
    ['parkedBlock', parked, { owner: 'one', parkedAt: start, device: 'meter' }, shown],
    ['deadLetter', letter, { topic: 'a/b', payload: 'AP8B', bytes: 3 }, undefined],
    [
      'rollup',
      invalidRollupItem('other', { width: 'PT1H', start }, 'v'),
      { version: 'v' },
      undefined,
    ],
    [
      'membership',
      membershipItem({ place: 'home', device: 'm', since: 0, until: 9 }),
      {},
      undefined,
    ],
    ['shardMap', { pk: 'SHARDS', sk: 'LIST#DEVICE', epochs: [] }, { epochs: [] }, undefined],
  ])('are decoded: %s', async (kind, item, values, expected) => {
    await query.put(item);
    const path = itemsPath({ pk: item.pk as string, sk: item.sk as string });
    const { text, body } = await query.ask(path);
    const { items } = body as TableItemsPage;
    expect(items.map((one) => [one.kind, one.bytes])).toEqual([[kind, itemSize({ ...item })]]);
    expect(items[0]?.decoded).toMatchObject({ values });
    expect(items[0]?.decoded.values).not.toHaveProperty('offsets');
    if (expected === undefined) expect(text).not.toContain('"readings"');
    else expect(text).toContain(`"readings":${JSON.stringify(expected)}`);
  });
});

describe('the items of an index', () => {
  it('have the attributes of its projection, which the response names', async () => {
    const parameters = { index: 'gsi1', pk: deviceListPartition(0) };
    const { items, families, projection } = await browse(query, parameters);
    expect(families).toEqual(['deviceList']);
    expect(projection).toMatchObject({ isComplete: false, note: expect.any(String) as unknown });
    expect(projection.attributes).toEqual(expect.arrayContaining(['gsi1pk', 'pk', 'name', 'data']));
    const [item] = items;
    expect(item?.kind).toBe('device');
    expect(item?.key).toEqual({ pk, sk: pk, gsi1pk: 'LIST#DEVICE#0', gsi1sk: 'meter#meter' });
    expect(item?.attributes).not.toHaveProperty('lastSeenAt');
    for (const name of Object.keys(item?.attributes ?? {})) {
      expect(projection.attributes).toContain(name);
    }
  });

  it('are complete in gsi2', async () => {
    const { items, projection } = await browse(query, {
      index: 'gsi2',
      pk: deviceSeenPartition(0),
    });
    expect(projection).toEqual({ isComplete: true });
    expect(items.map(({ attributes }) => attributes['lastSeenAt'])).toEqual([
      { N: String(Date.UTC(2026, 10, 20, 9)) },
    ]);
  });
});

describe('items that no service has written', () => {
  it('with another key are of the kind unknown', async () => {
    await query.put({ pk: 'OTHER#1', sk: 'x', note: 'by hand' });
    const { items, families } = await browse(query, { pk: 'OTHER#1' });
    expect(families).toEqual([]);
    expect(items).toMatchObject([{ kind: 'unknown', decoded: { values: { note: 'by hand' } } }]);
    expect(items[0]?.decoded.key).toBeUndefined();
  });

  it('with sets and strange names are returned raw, with a reason', async () => {
    const raw = {
      pk: { S: 'OTHER#sets' },
      sk: { S: 'a$' },
      texts: { SS: ['a', 'b'] },
      numbers: { NS: ['-3.14', '100'] },
      bytes: { BS: ['AQI='] },
      map: { M: { constructor: { NULL: true }, list: { L: [{ BOOL: false }] } } },
    };
    await query.putRaw(raw);
    const { items } = await browse(query, { pk: 'OTHER#sets' });
    expect(items[0]?.attributes).toEqual(raw);
    expect(items[0]?.decoded).toEqual({
      error: expect.stringMatching(/^not a value of this table: [SNB]S$/) as unknown,
    });
    // Names 2 + 2 + 5 + 7 + 5 + 3, key 10 + 2, texts 2, numbers 4 + 2, bytes 2, map 3 + 11 + 2 + 4 + 1 + 3 + 2.
    expect(items[0]?.bytes).toBe(24 + 12 + 2 + 6 + 2 + 26);
  });

  it.each([
    ['block', { offsets: [0] }, 'a block without offsets or fields'],
    ['block', { offsets: ['x'], fields: {} }, 'Invalid time value'],
    ['block', { offsets: [0], fields: { a: [{ b: 1 }] } }, 'the field a has a value of another'],
    ['correction', { operation: 'none' }, 'not a correction: c'],
  ])('with the key of a %s are returned: %j', async (kind, attributes, error) => {
    const sk = kind === 'block' ? block.sk : '#COR#c';
    await query.put({ pk: 'DEVICE#damaged', sk, ...attributes });
    const { items } = await browse(query, { pk: 'DEVICE#damaged', sk });
    expect(items).toMatchObject([
      { kind, decoded: { error: expect.stringContaining(error) as unknown } },
    ]);
  });
});

describe('readings that are many when decoded', () => {
  const name = (index: number) => `${index}`.padStart(255, 'x');
  const correctionOf = (sk: string, fields: number) => {
    const offsets = Array.from({ length: 600 }, (_, index) => 599 - index);
    const columns = Array.from({ length: fields }, (_, at) => [name(at), offsets.map(() => true)]);
    const replacement = { newest: start, offsets, fields: Object.fromEntries(columns) as object };
    return {
      ...{ pk: devicePartition('wide'), sk: `#COR#${sk}`, operation: 'replace', sequence: 1 },
      ...{ from: 0, to: 1, why: '', madeAt: 0, replacement },
    };
  };

  it('are on pages of one megabyte', async () => {
    await query.putAll(Array.from({ length: 40 }, (_, index) => correctionOf(`a${index}`, 1)));
    const parameters = { pk: devicePartition('wide'), skPrefix: '#COR#a' };
    const pages = await query.walkAll<TableItemsPage>('/v1/table/items', parameters);
    const items = pages.flatMap((page) => page.items);
    expect(items).toHaveLength(40);
    for (const { decoded } of items) expect(decoded.readings).toHaveLength(600);
  });

  it('are not decoded beyond 4 MiB of an item', async () => {
    await query.put(correctionOf('b', 30));
    const { items } = await browse(query, { pk: devicePartition('wide'), skPrefix: '#COR#b' });
    expect(items).toMatchObject([
      { decoded: { error: 'the readings of this item are too many to be decoded' } },
    ]);
    expect(items[0]?.attributes).toHaveProperty('replacement');
  });
});

it('without reported units, the consumed units are estimated by size', async () => {
  const other = await QueryFixture.open({ DYNAMODB_CONSUMED_CAPACITY: 'none' });
  try {
    const items = [1, 2, 3].map((n) => ({ pk: 'OTHER#1', sk: String(n), text: 'x'.repeat(4000) }));
    await other.putAll(items);
    const { consumed } = await browse(other, { pk: 'OTHER#1' });
    expect(consumed).toEqual({ units: 1.5, requests: 1, isReported: false });
  } finally {
    await other.close();
  }
});
