import { idOf } from './seed-catalog.ts';
import type { MeteredServices } from './metered-services.ts';
import type { Pattern } from './pattern.ts';

async function put(services: MeteredServices, path: string, body: object): Promise<number> {
  return (await services.ask('catalog', path, { method: 'PUT', body })).status;
}

async function patch(services: MeteredServices, path: string, body: object): Promise<unknown> {
  return (await services.ask('catalog', path, { method: 'PATCH', body })).body['attributes'];
}

const artist = idOf('artist', 0);
const song = {
  attributes: { title: 'New', released: 1999, plays: 1 },
  relations: { artist, features: [artist] },
};
const path = '/v1/entities/Song/new';

/** More than fit into a transaction. */
const cast = Array.from({ length: 120 }, (_, index) => `extra-${String(index).padStart(3, '0')}`);

async function hire(services: MeteredServices): Promise<void> {
  const entities = cast.map((id) => ({ type: 'Artist', id, attributes: { name: id } }));
  await services.ask('catalog', '/v1/entities', { method: 'POST', body: entities });
}

/** Changes in the catalog; each finds the state that the previous ones left. */
export const catalogChangePatterns: Pattern[] = [
  {
    ask: 'declare a type',
    how: 'GetItem and a transaction; then the types are read again: GetItem and Query',
    requests: '2, and 1 and 1 per page',
    expected: { GetItem: 2, Query: 1, TransactWriteItems: 1 },
    run: (services) =>
      put(services, '/v1/types/Label', { attributes: [{ name: 'name', kind: 'text' }] }),
    gives: 201,
  },
  {
    ask: 'bulk creation: an entity with 2 relations to one other, 2 searches, a ranking and full text',
    how: 'transaction',
    requests: '1',
    expected: { TransactWriteItems: 1 },
    run: async (services) => {
      const entity = { type: 'Song', id: 'new', ...song };
      const { body } = await services.ask('catalog', '/v1/entities', {
        method: 'POST',
        body: entity,
      });
      return body['entities'];
    },
    gives: { created: 1, existing: 0 },
  },
  {
    ask: 'put an entity that may exist',
    how: 'Query of its partition and BatchGetItem of the targets of unchanged relations, consistent; transaction',
    requests: '1 per page, 1 per 100 unchanged relations, and 1',
    expected: { Query: 1, BatchGetItem: 1, TransactWriteItems: 1 },
    run: (services) =>
      put(services, path, { ...song, attributes: { ...song.attributes, title: 'Newer' } }),
    gives: 200,
  },
  {
    ask: 'put it again unchanged',
    how: 'Query of its partition and BatchGetItem of the targets of its relations, consistent',
    requests: '1 per page, and 1 per 100 relations',
    expected: { Query: 1, BatchGetItem: 1 },
    run: (services) =>
      put(services, path, { ...song, attributes: { ...song.attributes, title: 'Newer' } }),
    gives: 200,
  },
  {
    ask: 'change a score in the first ranking of a type, or an attribute in no search',
    how: 'UpdateItem',
    requests: '1',
    expected: { UpdateItem: 1 },
    run: (services) => patch(services, path, { attributes: { plays: 2, note: 'live' } }),
    gives: { title: 'Newer', released: 1999, plays: 2, note: 'live' },
  },
  {
    ask: 'change an attribute of a search',
    how: 'Query of the entity without its relations, consistent; transaction',
    requests: '2',
    expected: { Query: 1, TransactWriteItems: 1 },
    run: (services) => patch(services, path, { attributes: { title: 'Newest' } }),
    gives: { title: 'Newest', released: 1999, plays: 2, note: 'live' },
  },
  {
    ask: 'add the first member of a set',
    how: 'Query of the entity without its relations, consistent; transaction',
    requests: '1, and 2 if it had no set',
    expected: { UpdateItem: 1, Query: 1, TransactWriteItems: 1 },
    run: async (services) => {
      const there = await patch(services, path, { attributes: { labels: { append: ['a'] } } });
      return (there as { labels: string[] }).labels;
    },
    gives: ['a'],
  },
  {
    ask: 'add to a number, append to a set, with a condition',
    how: 'UpdateItem',
    requests: '1',
    expected: { UpdateItem: 1 },
    run: async (services) => {
      const attributes = { listeners: { add: 1 }, labels: { append: ['b'] } };
      const conditions = { plays: { atLeast: 1 } };
      const there = await patch(services, path, { attributes, conditions });
      return (there as { listeners: number }).listeners;
    },
    gives: 1,
  },
  {
    ask: 'add to a score in the first ranking of a type',
    how: 'GetItem, consistent; UpdateItem',
    requests: '2',
    expected: { GetItem: 1, UpdateItem: 1 },
    run: async (services) => {
      const there = await patch(services, path, { attributes: { plays: { add: 1 } } });
      return (there as { plays: number }).plays;
    },
    gives: 3,
  },
  {
    ask: 'bulk put of an existing entity',
    how: 'transaction, whose condition fails; Query of its partition, consistent; transaction',
    requests: '3',
    expected: { Query: 1, TransactWriteItems: 2 },
    run: async (services) => {
      const entity = { type: 'Artist', id: artist, attributes: { name: 'Renamed' } };
      const bulk = '/v1/entities?existing=replace';
      return (await services.ask('catalog', bulk, { method: 'POST', body: entity })).body[
        'entities'
      ];
    },
    gives: { created: 0, existing: 0, replaced: 1, unchanged: 0 },
  },
  {
    ask: 'create an entity with 5 members of a set in a search',
    how: 'transaction',
    requests: '1',
    expected: { TransactWriteItems: 1 },
    run: async (services) => {
      const entity = { type: 'Photo', id: '1', attributes: { tags: ['a', 'b', 'c', 'd', 'e'] } };
      const { body } = await services.ask('catalog', '/v1/entities', {
        method: 'POST',
        body: entity,
      });
      return body['entities'];
    },
    gives: { created: 1, existing: 0 },
  },
  {
    ask: 'several entities in one transaction: 2 new ones, one of which relates to the other, and 1 changed one',
    how: 'Query of the partition of each, consistent; transaction',
    requests: '1 per page of each, and 1',
    expected: { Query: 3, TransactWriteItems: 1 },
    run: async (services) => {
      const operations = [
        { operation: 'put', type: 'Artist', id: 'both', attributes: { name: 'Both' } },
        {
          ...{ operation: 'put', type: 'Song', id: 'both' },
          ...song,
          relations: { artist: 'both' },
        },
        { operation: 'patch', type: 'Artist', id: artist, attributes: { name: 'Third' } },
      ];
      const request = { method: 'POST', body: { operations } };
      return (await services.ask('catalog', '/v1/transactions', request)).status;
    },
    gives: 200,
  },
  {
    ask: 'delete an entity without incoming relations',
    how: 'GetItem for the check; Query of its partition, consistent; transaction',
    requests: '1, and 1 per page, and 1',
    expected: { GetItem: 1, Query: 1, TransactWriteItems: 1 },
    run: async (services) => (await services.ask('catalog', path, { method: 'DELETE' })).status,
    gives: 204,
  },
  {
    ask: 'create an entity with 120 relations',
    how: 'transactions: the mark, 49 rows each, the commit, 99 rows each, the end; a Query per page, a DeleteItem',
    requests: '1 per 49, and 1 per 99, and 7',
    expected: { Query: 2, TransactWriteItems: 7, UpdateItem: 1, DeleteItem: 1 },
    prepare: hire,
    run: (services) => {
      const relations = { features: cast };
      return put(services, '/v1/entities/Song/crowd', {
        attributes: { title: 'Crowd' },
        relations,
      });
    },
    gives: 201,
  },
  {
    ask: 'add a relation to these 120, and remove one',
    how: 'Query of the first 100 items and BatchGetItem of the rows that it names, consistent; transaction',
    requests: '3; 1 more if it names unchanged relations',
    expected: { Query: 1, BatchGetItem: 1, TransactWriteItems: 1 },
    run: async (services) => {
      const relations = { features: { add: [artist], remove: [cast[100]] } };
      const request = { method: 'PATCH', body: { relations } };
      return (await services.ask('catalog', '/v1/entities/Song/crowd', request)).status;
    },
    gives: 200,
  },
];
