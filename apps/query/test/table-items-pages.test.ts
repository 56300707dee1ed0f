import { isKeyOf, tableFamilies } from '@engawa/keys';
import { maxItemBytes } from '@engawa/table';
import { openBeforeAll } from '@engawa/testing';
import { nasty } from './nasty-texts.ts';
import { QueryFixture } from './query-fixture.ts';
import { browse, itemsPath } from './table-items.ts';
import type { TableItemsPage } from './table-items.ts';

const pk = 'OTHER#pages';
const sortKeys = Array.from({ length: 12 }, (_, number) => `k${String(number).padStart(2, '0')}`);
const index = { gsi1pk: 'OTHER#gsi1', gsi1sk: 'same', gsi2pk: 'OTHER#large' };

const query = openBeforeAll(() => QueryFixture.open({ RESPONSE_BYTE_LIMIT: '10000000' }));
beforeAll(() => query.putAll(sortKeys.map((sk) => ({ pk, sk, ...index, gsi2pk: pk, gsi2sk: sk }))));

const found = ({ items }: TableItemsPage) => items.map(({ key }) => key['sk']);

describe('the items of a partition', () => {
  it.each<[Record<string, string>, string[]]>([
    [{}, sortKeys],
    [{ order: 'desc' }, sortKeys.toReversed()],
    [{ sk: 'k03' }, ['k03']],
    [{ sk: 'k' }, []],
    [{ skPrefix: 'k0' }, sortKeys.slice(0, 10)],
    [{ skFrom: 'k03', skTo: 'k05' }, ['k03', 'k04', 'k05']],
    [{ skFrom: 'k10' }, ['k10', 'k11']],
    [{ skTo: 'k01' }, ['k00', 'k01']],
    [{ skFrom: 'k1', skTo: 'k1' }, []],
    [{ index: 'gsi2', skPrefix: 'k1' }, ['k10', 'k11']],
  ])('are selected by %j', async (condition, expected) => {
    expect(found(await browse(query, { pk, ...condition }))).toEqual(expected);
  });

  it.each<Record<string, string>>([
    {},
    { order: 'desc' },
    { skPrefix: 'k0' },
    { index: 'gsi1', pk: 'OTHER#gsi1' },
    { index: 'gsi1', pk: 'OTHER#gsi1', sk: 'same' },
    { index: 'gsi2', order: 'desc' },
  ])('are the same over all pages: %j', async (condition) => {
    const parameters = { pk, ...condition };
    const whole = found(await browse(query, parameters));
    expect(whole.length).toBeGreaterThan(9);
    for (const limit of ['1', '5', '100']) {
      const pages = await query.walkAll<TableItemsPage>('/v1/table/items', {
        ...parameters,
        limit,
      });
      expect(pages.flatMap(found)).toEqual(whole);
    }
  });

  it('have cursors for the same partition only, also for a price', async () => {
    const { cursor = '' } = await browse(query, { pk, limit: '3' });
    const price = await browse(query, { pk, limit: '7', cursor, dryRun: 'true' });
    expect(price).toMatchObject({ items: [], consumed: { units: 0, requests: 0 } });
    const others = [
      ['pk', 'DEVICE#a'] as const,
      ['index', 'gsi1'] as const,
      ['order', 'desc'] as const,
    ];
    for (const [name, value] of others) {
      expect(await query.ask(itemsPath({ pk, cursor, [name]: value }))).toMatchObject({
        status: 400,
        body: { type: '/problems/invalid-cursor' },
      });
    }
  });
});

describe('the price of a page', () => {
  beforeAll(async () => {
    for (const sk of ['a', 'b', 'c', 'd', 'e']) {
      const item = { pk: 'OTHER#large', sk, ...index, gsi2sk: sk, data: '' };
      const names = Object.entries(item).flat().join('');
      await query.put({ ...item, data: 'x'.repeat(maxItemBytes - Buffer.byteLength(names)) });
    }
  });

  it.each(['table', 'gsi1', 'gsi2'])('is never exceeded by the largest items: %s', async (name) => {
    const partition = { index: name, pk: name === 'gsi1' ? 'OTHER#gsi1' : 'OTHER#large' };
    let largest = 0;
    for (const limit of ['1', '2', '100']) {
      const parameters = { ...partition, limit };
      const { price } = await browse(query, { ...parameters, dryRun: 'true' });
      const pages = await query.walkAll<TableItemsPage>('/v1/table/items', parameters);
      for (const { consumed, items } of pages) {
        expect(consumed.units).toBeLessThanOrEqual(price.estimatedUnits);
        const bytes = items.reduce((sum, item) => sum + item.bytes, 0);
        if (bytes > 0) expect(consumed.units).toBe(Math.ceil(bytes / 4096) / 2);
        largest = Math.max(largest, ...items.map((item) => item.bytes));
      }
    }
    // gsi1 lacks the keys of gsi2.
    expect(largest).toBeGreaterThan(maxItemBytes - 50);
    if (name !== 'gsi1') expect(largest).toBe(maxItemBytes);
  });

  it.each([
    ['1', 50, 'bounded-by-items', '1 item cost'],
    ['2', 100, 'bounded-by-items', 'An item has at most 400 KB'],
    ['100', 178, 'bounded-by-page', 'A page ends once its items exceed 1,024 KB'],
    [
      '1000',
      178,
      'bounded-by-page',
      '100 items cost at most 178 units; with 1 KB per item they cost 12.5.',
    ],
  ])('of %s items is at most %d units', async (limit, units, code, why) => {
    const { price } = await browse(query, { pk, limit, dryRun: 'true' });
    expect(price.estimatedUnits).toBe(units);
    expect(price.why).toContain(why);
    const items = Math.min(Number(limit), 100);
    const values = { items, estimatedUnits: units, usualUnits: Math.max(0.5, items / 8) };
    expect(price.whyCode).toMatchObject({ code, values });
  });

  it('is told without a request to DynamoDB', async () => {
    const dryRun = () => browse(query, { pk, dryRun: 'true' });
    expect(await query.requestsOf('Query', dryRun)).toBe(0);
    expect(await query.requestsOf('Query', () => browse(query, { pk }))).toBe(1);
    expect(await query.requestsOf('Scan', () => browse(query, { pk }))).toBe(0);
  });
});

describe('a request that is not valid', () => {
  it.each([
    [{}, 'query.pk'],
    [{ pk: '' }, 'query.pk'],
    [{ pk: 'x'.repeat(2049) }, 'query.pk must have at most 2048 bytes'],
    [{ pk: '界'.repeat(683) }, 'query.pk must have at most 2048 bytes'],
    [{ pk, sk: '界'.repeat(342) }, 'query.sk must have at most 1024 bytes'],
    [{ pk, index: 'gsi3' }, 'query.index'],
    [{ pk, sk: 'a', skPrefix: 'a' }, 'query.sk must not be combined'],
    [{ pk, skPrefix: 'a', skTo: 'a' }, 'query.skPrefix must not be combined'],
    [{ pk, skFrom: 'b', skTo: 'a' }, 'query.skFrom must not be above query.skTo'],
    [{ pk, skFrom: '\u{10000}', skTo: '\uffff' }, 'query.skFrom must not be above query.skTo'],
    [{ pk, limit: '0' }, 'query.limit'],
    [{ pk, dryRun: 'yes' }, 'query.dryRun'],
    [{ pk, scan: 'true' }, 'query.scan'],
  ])('is refused: %j', async (parameters, detail) => {
    const { status, body } = await query.ask(itemsPath(parameters));
    expect([status, (body as { detail: string }).detail]).toEqual([
      400,
      expect.stringContaining(detail),
    ]);
  });

  it('is answered as the OpenAPI document says, never 5xx, for hostile values', async () => {
    const names = ['pk', 'index', 'sk', 'skPrefix', 'skFrom', 'skTo', 'order', 'limit', 'dryRun'];
    for (const name of [...names, 'cursor']) {
      for (const value of nasty) {
        const { status, text } = await query.ask(itemsPath({ pk, [name]: value }));
        if (status >= 500) throw new Error(`${status} for ${name}=${value}: ${text}`);
      }
    }
  });
});

describe('the key families', () => {
  it('are those of the key builders, with the index that lacks attributes', async () => {
    const { body } = await query.ask('/v1/table/families');
    const { items } = body as { items: Record<string, unknown>[] };
    expect(items.map(({ name }) => name)).toEqual(tableFamilies.map(({ name }) => name));
    expect(items.find(({ name }) => name === 'block')).toMatchObject({
      ...{ index: 'table', pk: 'DEVICE#<device>[#<shard>]', sk: '#TS#<time>#<name>' },
      ...{ kinds: ['block'], writtenBy: ['ingestion'], isComplete: true },
    });
    const incomplete = items.filter(({ isComplete }) => isComplete === false);
    expect(new Set(incomplete.map((family) => family['index']))).toEqual(new Set(['gsi1']));
    const device = { index: 'table' as const, pk: 'DEVICE#a', sk: 'DEVICE#a' };
    expect(tableFamilies.filter((family) => isKeyOf(family, device)).length).toBe(1);
  });
});
