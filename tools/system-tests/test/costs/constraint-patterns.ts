import type { MeteredServices } from './metered-services.ts';
import type { Pattern } from './pattern.ts';

async function patch(services: MeteredServices, path: string, body: object): Promise<unknown> {
  return (await services.ask('catalog', path, { method: 'PATCH', body })).body['attributes'];
}

async function postUser(services: MeteredServices, id: string, email: string): Promise<unknown> {
  const entity = { type: 'User', id, attributes: { email } };
  return (await services.ask('catalog', '/v1/entities', { method: 'POST', body: entity })).body[
    'entities'
  ];
}

/** Changes of entities with unique values or an expiry. */
export const constraintPatterns: Pattern[] = [
  {
    ask: 'create an entity with a unique attribute',
    how: 'transaction',
    requests: '1',
    expected: { TransactWriteItems: 1 },
    run: (services) => postUser(services, 'ann', 'ann@example.org'),
    gives: { created: 1, existing: 0 },
  },
  {
    ask: 'an entity by a unique value',
    how: 'GetItem of the value, and of the entity, both consistent',
    requests: '2',
    expected: { GetItem: 2 },
    run: async (services) => {
      const path = '/v1/unique/User/email?value=ann%40example.org';
      return (await services.ask('catalog', path)).body['id'];
    },
    gives: 'ann',
  },
  {
    ask: 'create an entity with a value of another entity',
    how: 'transaction, which is refused',
    requests: '1',
    expected: { TransactWriteItems: 1 },
    run: (services) => postUser(services, 'bob', 'ann@example.org'),
    gives: { created: 0, existing: 0 },
  },
  {
    ask: 'change the value of a unique attribute',
    how: 'Query of the entity without its relations, consistent; transaction',
    requests: '2',
    expected: { Query: 1, TransactWriteItems: 1 },
    run: (services) =>
      patch(services, '/v1/entities/User/ann', { attributes: { email: 'ann@ex.org' } }),
    gives: { email: 'ann@ex.org' },
  },
  {
    ask: 'change another attribute of such an entity',
    how: 'UpdateItem',
    requests: '1',
    expected: { UpdateItem: 1 },
    run: (services) => patch(services, '/v1/entities/User/ann', { attributes: { name: 'Ann' } }),
    gives: { email: 'ann@ex.org', name: 'Ann' },
  },
  {
    ask: 'create an entity that expires',
    how: 'transaction',
    requests: '1',
    expected: { TransactWriteItems: 1 },
    run: async (services) => {
      const entity = { type: 'Session', id: '1', attributes: { until: '2100-01-01T00:00:00Z' } };
      const { body } = await services.ask('catalog', '/v1/entities', {
        method: 'POST',
        body: entity,
      });
      return body['entities'];
    },
    gives: { created: 1, existing: 0 },
  },
  {
    ask: 'extend its expiry',
    how: 'Query of the entity without its relations, consistent; transaction',
    requests: '2',
    expected: { Query: 1, TransactWriteItems: 1 },
    run: (services) =>
      patch(services, '/v1/entities/Session/1', { attributes: { until: '2100-01-02T00:00:00Z' } }),
    gives: { until: '2100-01-02T00:00:00.000Z' },
  },
];
