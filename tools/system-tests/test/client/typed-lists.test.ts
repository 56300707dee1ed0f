import { createClient, declareType } from '@engawa/client';
import { openBeforeAll, until } from '@engawa/testing';
import { Services } from '../services.ts';
import type { Client } from '@engawa/client';

const Customer = declareType({
  name: 'Customer',
  attributes: [
    { name: 'name', kind: 'text', required: true },
    { name: 'city', kind: 'text' },
  ],
});

const Order = declareType({
  name: 'Order',
  attributes: [
    { name: 'note', kind: 'text', required: true },
    { name: 'total', kind: 'number' },
    { name: 'state', kind: 'text' },
    { name: 'sentAt', kind: 'instant' },
  ],
  relations: [{ name: 'customer', to: 'Customer' }],
  searches: [{ name: 'byTotal', parts: [{ attribute: 'total' }] }],
  rankings: [
    { name: 'ofCustomer', attribute: 'total', within: 'customer' },
    { name: 'ofMonth', attribute: 'total', period: { attribute: 'sentAt', length: 'P1M' } },
  ],
  filters: [{ attribute: 'total' }, { attribute: 'state' }, { relation: 'customer' }],
  fullText: ['note'],
});

const services = openBeforeAll(() => Services.start());
let client: Client;
beforeAll(async () => {
  client = createClient({ url: services.urls });
  await client.entities(Customer).declare();
  await client.entities(Order).declare();
  await client.entities(Customer).put('anna', { attributes: { name: 'Anna', city: 'Kyoto' } });
  const order = (id: string, total: number, state?: string) => ({
    ...{ id, attributes: { note: `Order ${id}`, total, ...(state && { state }) } },
    relations: { customer: 'anna' },
  });
  await client
    .entities(Order)
    .createAll([order('a', 10, 'open'), order('b', 30, 'sent'), order('c', 20)]);
});

it('a text search filters, sorts and counts by declared filters', async () => {
  const orders = client.entities(Order);
  const found = orders.searchTexts({
    ...{ q: 'order', filters: { total: { atLeast: 10 }, state: { exists: true } }, whole: true },
    ...{ orderBy: 'total', order: 'descending', facets: ['state'] },
  });
  const shown = async () => {
    const page = await found.page({ total: true });
    return [page.total, page.items.map(({ entity }) => entity.attributes.total), page.facets];
  };
  const values = [
    { value: 'open', count: 1 },
    { value: 'sent', count: 1 },
  ];
  await until('the orders in the index', async () => (await shown())[0] === 2);
  expect(await shown()).toEqual([2, [30, 10], [{ name: 'state', values, others: 0 }]]);
  const names = [];
  const include = { customer: { type: Customer, fields: ['name'] } } as const;
  const asked = { filters: { state: { noneOf: ['sent'], exists: true } }, include } as const;
  for await (const { id, entity } of orders.searchTexts({ ...asked, whole: true }))
    names.push([id, entity.included.customer?.attributes?.name]);
  expect(names).toEqual([['a', 'Anna']]);
});

it('a ranking within a relation is that of the given entity', async () => {
  const ranked = async () => {
    const page = await client.entities(Order).ranking('ofCustomer', { within: 'anna' }).page();
    return page.items.map(({ id }) => id);
  };
  await until('the ranked orders', async () => (await ranked()).length === 3);
  expect(await ranked()).toEqual(['b', 'c', 'a']);
});

it('a ranking per period is that of the given or the current period', async () => {
  const orders = client.entities(Order);
  await orders.patch('b', { attributes: { sentAt: new Date('2026-11-29T12:00:00Z') } });
  const ranked = async () => {
    const { period, items } = await orders.ranking('ofMonth', { period: '2026-11' }).page();
    return [period, ...items.map(({ id }) => id)];
  };
  await until('the ranked order', async () => (await ranked()).length === 2);
  expect(await ranked()).toEqual(['2026-11', 'b']);
  const before = new Date().toISOString().slice(0, 7);
  const { period } = await orders.ranking('ofMonth').page();
  expect([before, new Date().toISOString().slice(0, 7)]).toContain(period);
});

it('a list includes attributes of related entities', async () => {
  const include = { customer: { type: Customer, fields: ['name'] } } as const;
  const orders = client.entities(Order);
  const customer = { id: 'anna', attributes: { name: 'Anna' } };
  const found = async () =>
    (await orders.search('byTotal', { from: 20, whole: true, include }).page()).items;
  await until('the orders in the search', async () => (await found()).length === 2);
  expect((await found()).map(({ id, included }) => [id, included])).toEqual([
    ['c', { customer }],
    ['b', { customer }],
  ]);
  const asked = { within: 'anna', whole: true, fields: ['total'], include } as const;
  const [best] = (await orders.ranking('ofCustomer', asked).page()).items;
  expect(best?.entity).toMatchObject({ attributes: { total: 30 }, included: { customer } });
  const related = client.entities(Customer).related('anna', Order, { whole: true, include });
  expect((await related.page()).items[0]?.entity.included.customer).toEqual(customer);
});

it('the relation between two entities is found, or undefined', async () => {
  const orders = client.entities(Order);
  const relation = { type: 'Customer', id: 'anna', attributes: {} };
  expect(await orders.relation('a', 'customer', 'anna')).toEqual(relation);
  expect(await orders.relation('a', 'customer', 'ben')).toBeUndefined();
});
