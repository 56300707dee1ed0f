import type { House } from './house.ts';
import type { Pattern } from './pattern.ts';

const path = '/v1/entities/Offer/new';

async function patch(house: House, attributes: object): Promise<number> {
  return (await house.ask('catalog', path, { method: 'PATCH', body: { attributes } })).status;
}

/** What the filters of a type cost, however many they are; each finds what those before it left. */
export const filterPatterns: Pattern[] = [
  {
    ask: 'make an entity with 3 filters, of no search',
    how: 'transaction',
    requests: '1',
    expected: { TransactWriteItems: 1 },
    run: async (house) => {
      const attributes = { name: 'Lamp', price: 12.5, isNew: true, note: 'x', stock: 3 };
      const entity = { type: 'Offer', id: 'new', attributes };
      const { body } = await house.ask('catalog', '/v1/entities', { method: 'POST', body: entity });
      return body['entities'];
    },
    gives: { created: 1, existing: 0 },
  },
  {
    ask: 'an attribute that a filter has',
    how: 'Query of the entity without its relations, consistent; transaction',
    requests: '2',
    expected: { Query: 1, TransactWriteItems: 1 },
    run: (house) => patch(house, { price: 11 }),
    gives: 200,
  },
  {
    ask: 'a number of no filter, in an entity that has some',
    how: 'UpdateItem',
    requests: '1',
    expected: { UpdateItem: 1 },
    run: (house) => patch(house, { stock: { add: -1 } }),
    gives: 200,
  },
  {
    ask: 'delete an entity with 3 filters, which nothing relates to',
    how: 'GetItem to be sure of that; Query of its partition, consistent; transaction',
    requests: '1, and 1 a page, and 1',
    expected: { GetItem: 1, Query: 1, TransactWriteItems: 1 },
    run: async (house) => (await house.ask('catalog', path, { method: 'DELETE' })).status,
    gives: 204,
  },
];
