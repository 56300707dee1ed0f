import { randomUUID } from 'node:crypto';
import { describeOnEmbedded, openBeforeAll } from '@engawa/testing';
import { RecordingHeat } from './recording-heat.ts';
import { charges, connect, metric, startTable } from './table-fixture.ts';
import type { CapacityDetail, Table } from '../src/index.ts';

const fixture = openBeforeAll(startTable);

const text = (length: number) => 'x'.repeat(length);
const unitsTotal = 'engawa_table_consumed_units_total';

/** Recorded units of each index, and the units charged to readers. */
interface ReportedUnits {
  heat: Record<string, number>;
  charged: number[];
}

/** Runs the same requests on a table with this detail of reports. */
class MeasuredTable {
  readonly heat = new RecordingHeat();
  readonly registry;
  readonly #table: Table;
  /** New items: an overwrite consumes no units of an unchanged index. */
  readonly #prefix = randomUUID();

  constructor(detail: CapacityDetail) {
    const { endpoint } = fixture.proxy;
    const { tableName } = fixture.table;
    const connected = connect(tableName, endpoint, undefined, this.heat, detail);
    this.#table = connected.table;
    this.registry = connected.registry;
  }

  /** Every kind of request, with items of several sizes. */
  async doAll(): Promise<ReportedUnits> {
    const table = this.#table;
    const pk = `${this.#prefix} a`;
    // This index contains whole items: estimates for the other one are too large.
    const list = (sk: string) => ({ gsi2pk: `${this.#prefix} list`, gsi2sk: sk });
    const writer = table.batchWriter();
    const sizes = [10, 600, 1500, 5000, 9000];
    const items = sizes.map((size) => ({ pk, sk: `${size}`, ...list(`${size}`), t: text(size) }));
    await Promise.all(items.map((item) => writer.put(item)));
    writer.close();
    await table.put({ pk, sk: 'put', ...list('put'), t: text(3000) });
    await table.update({ pk, sk: 'update' }, { set: { ...list('update'), t: text(1200) } });
    await table.transact([{ put: { pk, sk: 'both', t: text(2500) } }]);
    await table.get({ pk, sk: '9000' });
    await table.get({ pk, sk: 'nobody' }, { consistent: true });
    const keys = ['10', '9000', 'nobody'].map((sk) => ({ pk, sk }));
    const pages = [
      await table.query({ pk }),
      await table.query({ pk, consistent: true, limit: 2 }),
      await table.query({ index: 'gsi2', pk: list('').gsi2pk }),
      await table.query({ pk: 'nobody' }),
      await table.getAll(keys, { consistent: true }),
    ];
    await table.deleteAll([{ pk, sk: '10' }]);
    const sides = ['table write', 'gsi2 write', 'table read', 'gsi2 read'].map((side) => {
      const [index = '', unit = ''] = side.split(' ');
      return [side, this.heat.units(index, unit)] as const;
    });
    table.close();
    return { heat: Object.fromEntries(sides), charged: pages.map(({ units }) => units) };
  }
}

describe.each([
  ['indexes', 'INDEXES'],
  ['total', 'TOTAL'],
  ['none', undefined],
] as const)('a table with the detail %s', (detail, sent) => {
  it('requests that detail with each kind of request', async () => {
    const first = fixture.proxy.requests.length;
    await new MeasuredTable(detail).doAll();
    const requests = fixture.proxy.requests.slice(first);
    expect(new Set(requests.map(({ operation }) => operation)).size).toBe(7);
    expect(new Set(requests.map(({ body }) => body['ReturnConsumedCapacity']))).toEqual(
      new Set([sent]),
    );
  });
});

describeOnEmbedded(charges, 'less detail of reports', () => {
  it.each(['total', 'none'] as const)(
    'gives heat and budgets equal units with %s',
    async (detail) => {
      const whole = await new MeasuredTable('indexes').doAll();
      const told = await new MeasuredTable(detail).doAll();
      // The total includes the units of an index for a deleted item, whose key is unknown.
      const unknown = detail === 'total' ? 1 : 0;
      const writes = (whole.heat['table write'] ?? 0) + unknown;
      expect(told.heat).toEqual({ ...whole.heat, 'table write': writes });
      expect(told.charged).toEqual(whole.charged);
      expect(Math.min(...told.charged)).toBeGreaterThan(0);
    },
  );
});

it('charges a count at least its consumption, and at most a page', async () => {
  const { tableName } = fixture.table;
  const writer = fixture.table.batchWriter();
  const many = Array.from({ length: 300 }, (_, number) => ({ pk: 'counted', sk: `${number}` }));
  await Promise.all(many.map((item) => writer.put({ ...item, t: text(500) })));
  writer.close();
  const heat = new RecordingHeat();
  const { table } = connect(tableName, fixture.proxy.endpoint, undefined, heat, 'none');
  const { units: real } = await fixture.table.count({ pk: 'counted' });
  const { count, units } = await table.count({ pk: 'counted' });
  table.close();
  expect(count).toBe(300);
  expect(units).toBeGreaterThanOrEqual(real);
  expect(units).toBeLessThanOrEqual(128);
  expect(heat.units('table', 'read', 'counted')).toBe(units);
});

it('counts reported units only', async () => {
  const [whole, sums, nothing] = [
    new MeasuredTable('indexes'),
    new MeasuredTable('total'),
    new MeasuredTable('none'),
  ];
  for (const asked of [whole, sums, nothing]) await asked.doAll();
  const all = await metric(whole.registry, unitsTotal);
  expect(all).toBeGreaterThan(50);
  expect(await metric(sums.registry, unitsTotal)).toBe(all);
  expect(await metric(nothing.registry, unitsTotal)).toBe(0);
  const query = { operation: 'Query', index: 'gsi2' };
  const ofIndex = await metric(whole.registry, unitsTotal, query);
  expect(ofIndex).toBeGreaterThan(0);
  expect(await metric(sums.registry, unitsTotal, query)).toBe(ofIndex);
  expect(await metric(sums.registry, unitsTotal, { index: 'gsi2', unit: 'write' })).toBe(0);
});
