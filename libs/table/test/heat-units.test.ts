import { describeOnEmbedded, openBeforeAll } from '@engawa/testing';
import { absent, equal } from '../src/index.ts';
import { RecordingHeat } from './recording-heat.ts';
import { charges, metric, startTable } from './table-fixture.ts';
import type { TableItem, Table } from '../src/index.ts';

const heat = new RecordingHeat();
let table: Table;

const fixture = openBeforeAll(() => startTable(heat));
beforeAll(() => {
  ({ table } = fixture);
});
const writer = openBeforeAll(() => table.batchWriter());

const text = (length: number) => 'x'.repeat(length);
const key = (pk: string, sk = 's') => ({ pk, sk });
const listed = (list: string, sk: string) => ({ gsi1pk: list, gsi1sk: sk });
const seen = (list: string, sk: string) => ({ gsi2pk: list, gsi2sk: sk });

const sides = ['table', 'gsi1', 'gsi2'].flatMap((index) =>
  (['read', 'write'] as const).map((unit) => ({ index, unit })),
);

/** The consumption reported by DynamoDB, by `index unit`. */
async function consumed(operation?: string): Promise<Record<string, number>> {
  const of = sides.map(async ({ index, unit }) => {
    const labels = { index, unit, ...(operation !== undefined && { operation }) };
    const name = 'engawa_table_consumed_units_total';
    return [`${index} ${unit}`, await metric(fixture.registry, name, labels)] as const;
  });
  return Object.fromEntries(await Promise.all(of));
}

/** Runs the operation, and expects Heat to record its reported consumption and nothing else. */
async function told(operation: string, act: () => Promise<unknown>): Promise<void> {
  const [before, allBefore] = [await consumed(operation), await consumed()];
  heat.forget();
  await act();
  const [after, all] = [await consumed(operation), await consumed()];
  let sum = 0;
  for (const { index, unit } of sides) {
    const name = `${index} ${unit}`;
    const units = (after[name] ?? 0) - (before[name] ?? 0);
    expect([name, (all[name] ?? 0) - (allBefore[name] ?? 0)]).toEqual([name, units]);
    expect(heat.units(index, unit)).toBeCloseTo(units, 6);
    sum += units;
  }
  expect(sum).toBeGreaterThan(0);
}

const store = (items: readonly TableItem[]) => Promise.all(items.map((item) => writer.put(item)));

describe('heat records all units of the consuming key', () => {
  it('by BatchWriteItem of the writer', async () => {
    const sizes = [10, 600, 900, 1500, 5000];
    const items = Array.from({ length: 60 }, (_, number) => ({
      ...key(`batch${number % 7}`, `${number}`),
      ...(number % 2 === 0 && listed('LIST', `${number}`)),
      ...(number % 3 === 0 && seen(`SEEN${number % 2}`, `${number}`)),
      text: text(sizes[number % 5] ?? 0),
    }));
    await told('BatchWriteItem', () => store(items));
    expect(heat.units('gsi1', 'write', 'LIST')).toBeGreaterThanOrEqual(30);
    const partitions = new Set(heat.uses.map(({ partition }) => partition));
    expect(partitions.size).toBe(7 + 1 + 2);
  });

  it('by BatchWriteItem, more for large items than for small ones', async () => {
    const items = [{ ...key('large'), text: text(3500) }, key('small'), key('tiny')];
    await told('BatchWriteItem', () => store(items));
    const units = ['large', 'small', 'tiny'].map((pk) => heat.units('table', 'write', pk));
    expect(units).toEqual([4, 1, 1]);
  });

  it('by PutItem, also of an item that changes its index keys', async () => {
    const item = { ...key('put'), ...listed('A', '1'), ...seen('A', '1'), text: text(1200) };
    await told('PutItem', () => table.put(item));
    await told('PutItem', () => table.put({ ...item, ...listed('B', '2'), ...seen('A', '2') }));
    expect(heat.units('gsi1', 'write', 'B')).toBeGreaterThan(0);
  });

  it('by UpdateItem, also with index keys that only the stored item contains', async () => {
    await table.put({ ...key('update'), ...listed('A', '1'), ...seen('S', '1') });
    await told('UpdateItem', () => table.update(key('update'), { set: seen('S', '2') }));
    await told('UpdateItem', () => table.update(key('update'), { set: { anything: 1 } }));
    expect(heat.units('gsi2', 'write', 'S')).toBeGreaterThan(0);
  });

  it('by DeleteItem', async () => {
    await table.put({ ...key('deleted'), text: text(2500) });
    await told('DeleteItem', () => table.delete(key('deleted')));
    expect(heat.units('table', 'write', 'deleted')).toBe(3);
  });

  it('by BatchWriteItem of deletions', async () => {
    const keys = Array.from({ length: 30 }, (_, number) => key('gone', `${number}`));
    await store(keys);
    await told('BatchWriteItem', () => table.deleteAll(keys));
    expect(heat.units('table', 'write', 'gone')).toBe(30);
  });

  it('by GetItem, consistent or not, of an existing or missing item', async () => {
    await table.put({ ...key('got'), text: text(9000) });
    await told('GetItem', () => table.get(key('got')));
    expect(heat.units('table', 'read', 'got')).toBe(1.5);
    await told('GetItem', () => table.get(key('got'), { consistent: true }));
    await told('GetItem', () => table.get(key('nobody')));
  });

  it('by BatchGetItem', async () => {
    await store([{ ...key('many', '1'), text: text(9000) }, key('many', '2'), key('few')]);
    const keys = [key('many', '1'), key('many', '2'), key('few')];
    await told('BatchGetItem', () => table.getAll(keys));
    expect(heat.units('table', 'read', 'many')).toBe(2);
    expect(heat.units('table', 'read', 'few')).toBe(0.5);
  });

  it('by Query, of the table and of an index, also of a count', async () => {
    await store(
      Array.from({ length: 50 }, (_, number) => ({
        ...key('asked', `${number}`),
        ...listed('ASKED', `${number}`),
        text: text(500),
      })),
    );
    await told('Query', () => table.query({ pk: 'asked', sk: { from: '1', to: '3' } }));
    expect(heat.units('table', 'read', 'asked')).toBeGreaterThan(1);
    await told('Query', () => table.query({ index: 'gsi1', pk: 'ASKED', limit: 3 }));
    expect(heat.units('gsi1', 'read', 'ASKED')).toBe(0.5);
    await told('Query', () => table.count({ pk: 'asked', consistent: true }));
  });
});

describeOnEmbedded(charges, 'a missing item', () => {
  it('heat records a unit, as for the smallest item', async () => {
    await told('BatchGetItem', () => table.getAll([key('absent'), key('gone')]));
    expect(heat.units('table', 'read', 'absent')).toBe(0.5);
  });
});

describeOnEmbedded(charges, 'of a transaction', () => {
  const operation = 'TransactWriteItems';

  it('heat records all units, of each consuming key', async () => {
    await table.put(key('t-deleted'));
    await told(operation, () =>
      table.transact([
        { put: { ...key('t-put'), ...listed('T', '1'), ...seen('T', '1'), text: text(1500) } },
        { update: key('t-update'), set: { ...listed('U', '1'), n: 1 } },
        { delete: key('t-deleted') },
        { check: key('t-absent'), onlyIf: absent('pk') },
      ]),
    );
    const units = ['t-put', 't-update', 't-deleted', 't-absent'].map((pk) =>
      heat.units('table', 'write', pk),
    );
    expect(units).toEqual([4, 2, 2, 2]);
    expect(heat.units('gsi1', 'write', 'U')).toBeGreaterThan(0);
  });

  it('heat records no units of an index for unknown keys', async () => {
    await table.put({ ...key('t-listed'), ...listed('OLD', '1') });
    heat.forget();
    const put = { ...key('t-new'), ...listed('NEW', '1') };
    await table.transact([{ delete: key('t-listed') }, { put }]);
    expect(heat.units('gsi1', 'write')).toBe(heat.units('gsi1', 'write', 'NEW'));
    expect(heat.units('gsi1', 'write', 'NEW')).toBe(2);
  });

  it('that was cancelled: heat records only the reported units, none', async () => {
    const before = await consumed();
    heat.forget();
    const writes = [{ put: key('t-never') }, { check: key('t-put'), onlyIf: absent('pk') }];
    await expect(table.transact(writes)).rejects.toThrow();
    expect(await consumed()).toEqual(before);
    expect([...heat.uses, ...heat.throttles]).toEqual([]);
  });
});

it('records a failed conditional write, which consumes units of the table that are not reported', async () => {
  await table.put({ ...key('vain'), ...listed('VAIN', '1'), text: text(2500) });
  const before = await consumed();
  heat.forget();
  const again = table.put({ ...key('vain'), ...listed('VAIN', '2') }, { onlyIf: absent('pk') });
  await expect(again).rejects.toThrow();
  const touch = table.update(key('no one'), { set: { n: 1 }, onlyIf: equal('n', 2) });
  await expect(touch).rejects.toThrow();
  expect(await consumed()).toEqual(before);
  const write = { index: 'table', unit: 'write' };
  expect(heat.uses).toEqual([
    { ...write, partition: 'vain', units: 3 },
    { ...write, partition: 'no one', units: 1 },
  ]);
});
