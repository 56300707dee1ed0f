import type { MeteredServices } from './metered-services.ts';
import type { Pattern } from './pattern.ts';

const path = '/v1/entities/Offer/new';

async function patch(services: MeteredServices, attributes: object): Promise<number> {
  return (await services.ask('catalog', path, { method: 'PATCH', body: { attributes } })).status;
}

/** Costs of filters of a type, independent of their number; each finds the state that the previous ones left. */
export const filterPatterns: Pattern[] = [
  {
    ask: 'create an entity with 3 filters, in no search',
    how: 'transaction',
    requests: '1',
    expected: { TransactWriteItems: 1 },
    run: async (services) => {
      const attributes = { name: 'Lamp', price: 12.5, isNew: true, note: 'x', stock: 3 };
      const entity = { type: 'Offer', id: 'new', attributes };
      const { body } = await services.ask('catalog', '/v1/entities', {
        method: 'POST',
        body: entity,
      });
      return body['entities'];
    },
    gives: { created: 1, existing: 0 },
  },
  {
    ask: 'change an attribute of a filter',
    how: 'Query of the entity without its relations, consistent; transaction',
    requests: '2',
    expected: { Query: 1, TransactWriteItems: 1 },
    run: (services) => patch(services, { price: 11 }),
    gives: 200,
  },
  {
    ask: 'change a number in no filter, in an entity with filters',
    how: 'UpdateItem',
    requests: '1',
    expected: { UpdateItem: 1 },
    run: (services) => patch(services, { stock: { add: -1 } }),
    gives: 200,
  },
  {
    ask: 'delete an entity with 3 filters, without incoming relations',
    how: 'GetItem for the check; Query of its partition, consistent; transaction',
    requests: '1, and 1 per page, and 1',
    expected: { GetItem: 1, Query: 1, TransactWriteItems: 1 },
    run: async (services) => (await services.ask('catalog', path, { method: 'DELETE' })).status,
    gives: 204,
  },
];
