import { openBeforeAll } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { declare, make, pathOf } from './entities.ts';
import { startTable } from './table.ts';
import type { TestResponse } from './catalog.ts';

const product = {
  attributes: [
    { name: 'name', kind: 'text' },
    { name: 'stock', kind: 'number' },
  ],
  searches: [{ name: 'byName', parts: [{ attribute: 'name', as: 'text' }] }],
};
const order = { attributes: [{ name: 'state', kind: 'text', required: true }] };
const line = {
  attributes: [{ name: 'count', kind: 'number' }],
  relations: [
    { name: 'order', to: 'Order' },
    { name: 'product', to: 'Product' },
  ],
};

const buy = (id: string, count: number) => [
  { operation: 'put', type: 'Order', id, attributes: { state: 'open' }, ifNoneMatch: '*' },
  {
    ...{ operation: 'put', type: 'Line', id: `${id}-1`, attributes: { count } },
    relations: { order: id, product: 'lamp' },
  },
  {
    ...{ operation: 'patch', type: 'Product', id: 'lamp' },
    attributes: { stock: { add: -count } },
    conditions: { stock: { atLeast: count } },
  },
];

describe('a transaction over several entities', () => {
  const started = openBeforeAll(startTable);
  const catalog = openBeforeAll(() => catalogOn(started, { RATE_LIMIT_PER_MINUTE: '0' }));
  beforeAll(() => declare(catalog, { Product: product, Order: order, Line: line }));
  beforeEach(() => make(catalog, ['Product', 'lamp', { attributes: { name: 'Lamp', stock: 5 } }]));

  const write = (...operations: object[]): Promise<TestResponse> =>
    catalog.ask('/v1/transactions', { method: 'POST', body: { operations } });
  const get = async (type: string, id: string) => (await catalog.ask(pathOf(type, id))).body;
  const stock = async () =>
    ((await get('Product', 'lamp')) as { attributes: { stock: number } }).attributes.stock;

  it('is applied atomically, also with relations between created entities', async () => {
    const answer = await write(...buy('o1', 2));
    expect(answer).toMatchObject({
      status: 200,
      body: { items: [{ id: 'o1' }, { id: 'o1-1' }, { entity: { attributes: { stock: 3 } } }] },
    });
    expect(await get('Line', 'o1-1')).toMatchObject({
      relations: { order: 'o1', product: 'lamp' },
    });
    const related = await catalog.ask(`${pathOf('Order', 'o1')}/related/Line`);
    expect(related.body).toMatchObject({ items: [{ id: 'o1-1' }] });
  });

  it('writes nothing if one operation is refused, and names the operation', async () => {
    const answer = await write(...buy('o2', 6));
    expect(answer).toMatchObject({ status: 409, body: { type: '/problems/condition-failed' } });
    expect(await get('Order', 'o2')).toMatchObject({ status: 404 });
    expect(await stock()).toBe(5);
    const [, wrong] = buy('o3', 1);
    expect(await write({ ...wrong, attributes: { count: 'one' } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'body.operations[0].attributes.count' }] },
    });
    expect(await write(...buy('o3', 1).slice(1))).toMatchObject({
      status: 409,
      body: { errors: [{ path: 'body.operations[0].relations' }] },
    });
    expect(await stock()).toBe(5);
  });

  it('is applied once if it is retried with ifMatch', async () => {
    expect((await write(...buy('o4', 1))).status).toBe(200);
    expect(await write(...buy('o4', 1))).toMatchObject({
      status: 412,
      body: { type: '/problems/already-exists' },
    });
    expect(await stock()).toBe(4);
  });

  it('deletes entities together with entities that relate to them', async () => {
    await write(...buy('o5', 1));
    const remove = (type: string, id: string) => ({ operation: 'delete', type, id });
    expect(await write(remove('Order', 'o5'))).toMatchObject({ status: 409 });
    expect(await write(remove('Order', 'o5'), remove('Line', 'o5-1'))).toMatchObject({
      status: 200,
      body: { items: [{ id: 'o5' }, { id: 'o5-1' }] },
    });
    expect(await get('Line', 'o5-1')).toMatchObject({ status: 404 });
    const [, ...others] = buy('o6', 1);
    await make(catalog, ['Order', 'o6', { attributes: { state: 'open' } }]);
    expect(await write(remove('Order', 'o6'), ...others)).toMatchObject({
      status: 409,
      body: { type: '/problems/related-entity-not-found' },
    });
    expect(await get('Order', 'o6')).toMatchObject({ id: 'o6' });
  });

  it('deletes entities on conditions', async () => {
    await make(catalog, ['Order', 'o8', { attributes: { state: 'open' } }]);
    const remove = (state: string) => ({
      ...{ operation: 'delete', type: 'Order', id: 'o8' },
      conditions: { state: { equals: state } },
    });
    const restock = {
      ...{ operation: 'patch', type: 'Product', id: 'lamp' },
      attributes: { stock: { add: 1 } },
    };
    expect(await write(restock, remove('paid'))).toMatchObject({
      status: 409,
      body: { errors: [{ path: 'body.operations[1].conditions.state.equals' }] },
    });
    expect(await stock()).toBe(5);
    expect(await write(restock, remove('open'))).toMatchObject({ status: 200 });
    expect(await get('Order', 'o8')).toMatchObject({ status: 404 });
  });

  it('may check entities that it does not change', async () => {
    const { headers } = await catalog.ask(pathOf('Product', 'lamp'));
    const check = { operation: 'check', type: 'Product', id: 'lamp', ifMatch: headers.get('etag') };
    const open = { operation: 'put', type: 'Order', id: 'o7', attributes: { state: 'open' } };
    expect(await write(check, open)).toMatchObject({ status: 200 });
    await make(catalog, ['Product', 'lamp', { attributes: { name: 'Lamp', stock: 9 } }]);
    const closed = { ...open, attributes: { state: 'closed' } };
    expect(await write(closed, check)).toMatchObject({
      status: 412,
      body: { errors: [{ path: 'body.operations[1]' }] },
    });
    expect(await get('Order', 'o7')).toMatchObject({ attributes: { state: 'open' } });
    const missing = { operation: 'check', type: 'Product', id: 'chair' };
    expect(await write(missing, closed)).toMatchObject({
      status: 404,
      body: {
        errors: [{ path: 'body.operations[0]', message: 'There is no Product "chair"' }],
      },
    });
    expect(await write(closed, { ...missing, type: 'Nothing' })).toMatchObject({
      status: 404,
      body: { type: '/problems/type-not-found', errors: [{ path: 'body.operations[1]' }] },
    });
  });

  it('is refused if it is too large, or has an entity twice', async () => {
    const orders = Array.from({ length: 50 }, (_, index) => ({
      ...{ operation: 'put', type: 'Line', id: `many${index}` },
      relations: { product: 'lamp', order: 'o1' },
    }));
    expect(await write(...orders)).toMatchObject({
      status: 400,
      body: { type: '/problems/transaction-too-large' },
    });
    const [first] = orders;
    expect(await write(first as object, first as object)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'body.operations[1]' }] },
    });
  });

  it('loses no change of a concurrent transaction on the same entities', async () => {
    await make(catalog, ['Product', 'chair', { attributes: { stock: 40 } }]);
    const move = (from: string, to: string) => [
      { operation: 'patch', type: 'Product', id: from, attributes: { stock: { add: -1 } } },
      { operation: 'patch', type: 'Product', id: to, attributes: { stock: { add: 1 } } },
    ];
    const moves = Array.from({ length: 20 }, (_, index) =>
      index % 4 === 0 ? move('lamp', 'chair') : move('chair', 'lamp'),
    );
    const answers = await Promise.all(moves.map((operations) => write(...operations)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await stock()).toBe(15);
    expect(await get('Product', 'chair')).toMatchObject({ attributes: { stock: 30 } });
  });
});
