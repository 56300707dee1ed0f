import { Decimal } from '@engawa/model';
import { describeOnEmbedded } from '@engawa/testing';
import { equal } from '../src/index.ts';
import { charges, connect, metric, startTable } from './table-fixture.ts';
import type { ReceivedRequest } from './fault-proxy.ts';
import type { TableFixture } from './table-fixture.ts';

let fixture: TableFixture;

beforeAll(async () => (fixture = await startTable()));
afterAll(() => fixture.close());
beforeEach(() => (fixture.proxy.reply = () => 'forward'));

async function putMany(
  pk: string,
  count: number,
  more: Record<string, string> = {},
  { table } = fixture,
) {
  const keys = Array.from({ length: count }, (_, number) => ({ pk, sk: String(number) }));
  const writer = table.batchWriter();
  await Promise.all(keys.map((key) => writer.put({ ...key, ...more })));
  writer.close();
  return keys;
}

function asked(operation: string, from: number): ReceivedRequest[] {
  return fixture.proxy.of(operation).slice(from);
}

describeOnEmbedded(charges, 'a missing item', () => {
  it('costs a unit', async () => {
    const absent = [{ pk: 'many', sk: 'never there' }];
    expect((await fixture.table.getAll(absent, { consistent: true })).units).toBe(1);
  });
});

describe('items by their keys', () => {
  it('are returned in no order, without missing items, with a request per 100', async () => {
    const keys = await putMany('many', 150);
    const before = fixture.proxy.of('BatchGetItem').length;
    const wanted = [...keys, keys[0] ?? { pk: '', sk: '' }, { pk: 'many', sk: 'never there' }];
    const { items, units } = await fixture.table.getAll(wanted, { consistent: true });
    expect(asked('BatchGetItem', before)).toHaveLength(2);
    const sortKeys = items.map(({ sk }) => sk as string).toSorted((a, b) => Number(a) - Number(b));
    expect(sortKeys).toEqual(keys.map(({ sk }) => sk));
    // A unit each, by DynamoDB's count of small items; DynamoDB Local charges nothing for missing items.
    expect([150, 151]).toContain(units);
  });

  it('keep all digits', async () => {
    const exact = new Decimal('12345678901234567890.5');
    await fixture.table.put({ pk: 'exact', sk: '1', exact });
    const { items } = await fixture.table.getAll([{ pk: 'exact', sk: '1' }]);
    expect(items).toEqual([{ pk: 'exact', sk: '1', exact }]);
  });

  it('are requested again where DynamoDB leaves some unprocessed', async () => {
    // This size takes longer than the short timeout of these tests.
    const patient = connect(fixture.table.tableName, fixture.proxy.endpoint, 10_000);
    // Above the 16 MB of one response.
    const text = 'x'.repeat(300_000);
    const keys = await putMany('large', 60, { text }, { ...fixture, ...patient });
    const before = fixture.proxy.of('BatchGetItem').length;
    const { items } = await patient.table.getAll(keys);
    patient.table.close();
    expect(items).toHaveLength(60);
    expect(asked('BatchGetItem', before).length).toBeGreaterThan(1);
    const throttles = metric(patient.registry, 'engawa_table_throttled_attempts_total');
    expect(await throttles).toBe(0);
  });

  it('are not requested for an empty list, and fail like every request', async () => {
    const before = fixture.proxy.of('BatchGetItem').length;
    expect(await fixture.table.getAll([])).toEqual({ items: [], units: 0 });
    expect(asked('BatchGetItem', before)).toEqual([]);
    fixture.proxy.reply = () => 'reset';
    const failed = fixture.table.getAll([{ pk: 'a', sk: 'b' }]);
    await expect(failed).rejects.toMatchObject({ code: 'table-unavailable' });
    const aborted = fixture.table.getAll([{ pk: 'a', sk: 'b' }], { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a count', () => {
  it('counts page by page, and returns no items', async () => {
    await putMany('counted', 50, { text: 'x'.repeat(40_000) });
    const first = await fixture.table.count({ pk: 'counted', sk: { from: '0' } });
    expect(first.count).toBeGreaterThan(0);
    expect(first.count).toBeLessThan(50);
    expect(first.units).toBeGreaterThan(100);
    const { next = {} } = first;
    const second = await fixture.table.count({ pk: 'counted', sk: { from: '0' }, after: next });
    expect(first.count + second.count).toBe(50);
    expect(second.next).toBeUndefined();
    const [{ body } = { body: {} }] = fixture.proxy.of('Query');
    expect(body).toMatchObject({ Select: 'COUNT' });
  });
});

describe('a change of a field inside a map', () => {
  it('leaves other fields of the map unchanged, for any field name', async () => {
    const key = { pk: 'nested', sk: '1' };
    const data = { 'a.b': { size: 1, constructor: 2 }, name: 'x', gone: 1 };
    await fixture.table.put({ ...key, data });
    const changed = await fixture.table.update(key, {
      set: { writeId: 'w' },
      setInside: [
        { path: ['data', 'a.b', 'size'], value: 3 },
        { path: ['data', 'new'], value: true },
      ],
      remove: [['data', 'gone']],
      onlyIf: equal(['data', 'a.b', 'constructor'], 2),
    });
    expect(changed).toEqual({
      ...key,
      writeId: 'w',
      data: { 'a.b': { size: 3, constructor: 2 }, name: 'x', new: true },
    });
    const refused = fixture.table.update(key, {
      setInside: [{ path: ['data', 'name'], value: 'y' }],
      onlyIf: equal(['data', 'a.b', 'constructor'], 3),
    });
    await expect(refused).rejects.toMatchObject({ name: 'ConditionFailed' });
  });
});
