import { entityKey } from '@engawa/keys';
import { openBeforeAll } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { declare, make, quiet } from './entities.ts';
import { ask, pathTo, problemOf, queryResponse, itemsIn, walk } from './list-queries.ts';
import { startTable } from './table.ts';
import type { Page, Parameters } from './list-queries.ts';

const customer = {
  attributes: [
    { name: 'name', kind: 'text', required: true },
    { name: 'a.b', kind: 'text' },
    { name: 'note', kind: 'text' },
    { name: 'until', kind: 'instant' },
    { name: 'credit', kind: 'number' },
  ],
  expires: { attribute: 'until' },
};
const order = {
  attributes: [
    { name: 'orderedAt', kind: 'instant', required: true },
    { name: 'total', kind: 'number' },
    { name: 'weight', kind: 'number' },
  ],
  relations: [
    { name: 'customer', to: 'Customer' },
    { name: 'payer', to: 'Customer' },
    { name: 'shop', to: 'Shop' },
    { name: 'watchers', to: 'Customer', many: true },
  ],
  searches: [{ name: 'byTime', parts: [{ attribute: 'orderedAt' }] }],
  rankings: [
    { name: 'byTotal', attribute: 'total', direction: 'descending' },
    { name: 'byWeight', attribute: 'weight', direction: 'descending' },
  ],
};

interface Order {
  id: string;
  attributes: Record<string, unknown>;
  relations: Record<string, unknown>;
  included?: Record<string, { id: string; attributes?: object; missing?: string }>;
  entity?: Order;
}

const expiry = Date.parse('2030-01-01T00:00:00Z');

describe('the include parameter', () => {
  const started = openBeforeAll(startTable);
  const catalog = openBeforeAll(() => catalogOn(started, quiet, { now: () => time }));
  let time = expiry - 1;
  beforeAll(async () => {
    await declare(catalog, { Customer: customer, Shop: { attributes: [] }, Order: order });
    const until = new Date(expiry).toISOString();
    const credit = 10;
    await make(catalog, [
      'Customer',
      'anna',
      { attributes: { name: 'Anna', 'a.b': 'dots', credit } },
    ]);
    await make(catalog, ['Customer', '健', { attributes: { name: '健', until } }]);
    await make(catalog, [
      'Customer',
      'long',
      { attributes: { name: 'L', note: 'x'.repeat(16_000) } },
    ]);
    await make(catalog, ['Customer', 'gone', { attributes: { name: 'Gone' } }]);
    await make(catalog, ['Shop', 's', {}]);
    const payers = { a: 'anna', b: '健', c: 'long', d: 'gone', e: undefined };
    for (const [index, [id, payer]] of Object.entries(payers).entries()) {
      const attributes = {
        orderedAt: `2026-11-0${index + 1}T00:00:00Z`,
        total: 10 - index,
        weight: index,
      };
      const relations = {
        customer: 'anna',
        shop: 's',
        watchers: ['anna'],
        ...(payer && { payer }),
      };
      await make(catalog, ['Order', id, { attributes, relations }]);
    }
    await catalog.table.delete(entityKey({ type: 'Customer', id: 'gone' }));
  });

  const whole = { whole: 'true' };
  const include = ['payer.name', 'payer.note', 'customer.a%2Eb'];
  const anna = { id: 'anna', attributes: { 'a.b': 'dots' } };
  const expected = [
    { customer: anna, payer: { id: 'anna', attributes: { name: 'Anna' } } },
    { customer: anna, payer: { id: '健', attributes: { name: '健' } } },
    { customer: anna, payer: { id: 'long', missing: 'too-large' } },
    { customer: anna, payer: { id: 'gone', missing: 'not-found' } },
    { customer: anna },
  ];
  const related = ['entities', 'Shop', 's', 'related', 'Order'];

  it.each<[string, string[], Parameters]>([
    ['a list', ['entities', 'Order'], {}],
    ['a whole list', ['entities', 'Order'], whole],
    ['entities by id', ['entities', 'Order'], { id: ['a', 'b', 'c', 'd', 'e'] }],
    ['a search', ['search', 'Order', 'byTime'], whole],
    ['the own ranking', ['rankings', 'Order', 'byTotal'], whole],
    ['another ranking', ['rankings', 'Order', 'byWeight'], whole],
    ['related entities', related, whole],
  ])('adds attributes of related entities to %s, or says why not', async (_, path, parameters) => {
    const read = async (more: Parameters = {}) => {
      const { items } = await ask<Page<Order>>(catalog, path, { ...parameters, include, ...more });
      return items
        .map(({ entity, ...item }) => entity ?? (item as Order))
        .toSorted((left, right) => (left.id < right.id ? -1 : 1));
    };
    expect((await read()).map(({ included }) => included)).toEqual(expected);
    const selected = await read({ fields: ['total'] });
    expect(selected.map(({ included }) => included)).toEqual(expected);
    expect(selected[0]).toMatchObject({ attributes: { total: 10 }, relations: {} });
  });

  it('takes one request more, however many entities relate to how many', async () => {
    const asked = { ...whole, include: ['customer.name', 'payer.name', 'payer.credit'] };
    const search = () => ask<Page<Order>>(catalog, ['search', 'Order', 'byTime'], asked);
    expect(await catalog.costOf(search)).toEqual({ Query: 1, BatchGetItem: 2 });
    const own = () => ask<Page<Order>>(catalog, ['rankings', 'Order', 'byTotal'], asked);
    expect(await catalog.costOf(own)).toEqual({ Query: 1, BatchGetItem: 1 });
    const without = () => ask<Page<Order>>(catalog, ['search', 'Order', 'byTime'], whole);
    expect(await catalog.costOf(without)).toEqual({ Query: 1, BatchGetItem: 1 });
    // Two entities, of half a unit each.
    const one = { id: 'b', include: ['payer.name'] };
    expect(await catalog.readUnits(() => ask(catalog, ['entities', 'Order'], one))).toBe(1);
  });

  it('is the same on all pages, and part of their cursor', async () => {
    const asked = { ...whole, include, limit: 2 };
    const pages = await walk<Order>(catalog, ['search', 'Order', 'byTime'], asked);
    expect(itemsIn(pages).map(({ included }) => included)).toEqual(expected);
    const other = { ...asked, include: 'payer.name', cursor: pages[0]?.cursor };
    const refused = await queryResponse(catalog, ['search', 'Order', 'byTime'], other);
    expect(problemOf(refused)).toMatchObject({ status: 400, type: 'invalid-cursor' });
  });

  it('is columns of CSV', async () => {
    const asked = { ...whole, fields: ['total'], include: ['payer.name', 'customer.a%2Eb'] };
    const path = pathTo(['search', 'Order', 'byTime'], asked);
    const answer = await fetch(`${catalog.api}${path}`, { headers: { accept: 'text/csv' } });
    const [head, ...rows] = (await answer.text()).trim().split('\r\n');
    const columns = head?.split(',').slice(-4);
    expect(columns).toEqual([
      ...['included.payer.name', 'included.payer.missing'],
      ...['included.customer.a.b', 'included.customer.missing'],
    ]);
    expect(rows.map((row) => row.split(',').slice(-4))).toEqual([
      ['Anna', '', 'dots', ''],
      ['健', '', 'dots', ''],
      ['L', '', 'dots', ''],
      ['', 'not-found', 'dots', ''],
      ['', '', 'dots', ''],
    ]);
  });

  it('says that a related entity has expired', async () => {
    time = expiry;
    const asked = { id: 'b', include: 'payer.name' };
    const { items } = await ask<Page<Order>>(catalog, ['entities', 'Order'], asked);
    time = expiry - 1;
    expect(items[0]?.included).toEqual({ payer: { id: '健', missing: 'expired' } });
  });

  it.each<[string, string[], string[]]>([
    ['no attribute', ['payer'], ['query.include[0]']],
    ['three names', ['payer.a.b'], ['query.include[0]']],
    ['no such relation', ['payer.name', 'seller.name'], ['query.include[1]']],
    ['a relation to many', ['watchers.name'], ['query.include[0]']],
    ['no such attribute', ['payer.name', 'payer.year'], ['query.include[1]']],
    ['a broken encoding', ['payer.%zz'], ['query.include[0]']],
  ])('is refused: %s', async (_, wrong, paths) => {
    const refused = await queryResponse(catalog, ['entities', 'Order'], { include: wrong });
    expect(problemOf(refused)).toEqual({ status: 400, type: 'invalid-request', paths });
  });

  it('requires whole entities in lists of index rows', async () => {
    const refused = await queryResponse(catalog, ['search', 'Order', 'byTime'], { include });
    expect(problemOf(refused)).toMatchObject({ status: 400, paths: ['query.include'] });
  });

  it('ends a page when its included attributes fill the response', async () => {
    const note = 'x'.repeat(15_000);
    await make(catalog, ['Customer', 'wordy', { attributes: { name: 'Wordy', note } }]);
    const ids = Array.from({ length: 100 }, (_, index) => `w${String(index).padStart(2, '0')}`);
    const attributes = { orderedAt: '2027-01-01T00:00:00Z' };
    const relations = { payer: 'wordy' };
    const body = ids.map((id) => ({ type: 'Order', id, attributes, relations }));
    await catalog.ask('/v1/entities', { method: 'POST', body });
    const asked = { ...whole, include: 'payer.note', from: '2027-01-01' };
    const pages = await walk<Order>(catalog, ['search', 'Order', 'byTime'], asked);
    expect(pages).toHaveLength(2);
    expect(itemsIn(pages).map(({ id }) => id)).toEqual(ids);
  });
});
