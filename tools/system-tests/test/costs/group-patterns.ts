import { idOf, songsOfArtist } from './seed-catalog.ts';
import { lengthOf, search } from './pattern.ts';
import type { MeteredServices } from './metered-services.ts';
import type { Pattern } from './pattern.ts';

const artist = idOf('artist', 0);
const song = idOf('song', 3);
const group = '/v1/entities/Group/band';

async function bodyOf(
  services: MeteredServices,
  path: string,
  question: Record<string, string | number>,
) {
  return (await services.ask('catalog', `${path}?${search(question)}`)).body;
}

function items(services: MeteredServices, path: string, question: Record<string, string | number>) {
  return lengthOf(services, ['catalog', `${path}?${search(question)}`], 'items');
}

async function patch(services: MeteredServices, path: string, body: object): Promise<number> {
  return (await services.ask('catalog', path, { method: 'PATCH', body })).status;
}

/** Queries of rankings within a parent, of all relations of an entity, and of parts of entities. */
export const groupPatterns: Pattern[] = [
  {
    ask: 'top 10 of a ranking within one entity: the best of a group',
    how: 'gsi2',
    requests: 'shards of that ranking',
    expected: { 'Query gsi2': 1 },
    run: (services) =>
      items(services, '/v1/rankings/Member/byPoints', { within: 'band', limit: 10 }),
    gives: 3,
  },
  {
    ask: 'rank within one entity, and 1 neighbour on either side',
    how: 'GetItem; gsi2 in both directions, which covers the whole ranking',
    requests: '1 + 2 shards + 1 per MB before the entity',
    expected: { GetItem: 1, 'Query gsi2': 2 },
    run: async (services) => {
      const path = '/v1/rankings/Member/byPoints/m1';
      const { rank, within } = await bodyOf(services, path, { neighbours: 1 });
      return [rank, within];
    },
    gives: [2, 'band'],
  },
  {
    ask: 'all relations of an entity, in both directions',
    how: 'Query of its partition; gsi1',
    requests: '1 per page, and 1 more on the page where the direction changes',
    expected: { Query: 1, 'Query gsi1': 1 },
    run: (services) => items(services, `${group}/related`, {}),
    gives: 5,
  },
  {
    ask: 'the same, one direction',
    how: 'gsi1',
    requests: '1 per page',
    expected: { 'Query gsi1': 1 },
    run: (services) => items(services, `${group}/related`, { direction: 'backward' }),
    gives: 3,
  },
  {
    ask: 'a page of incoming relations of one type, with their total',
    how: 'gsi1; count of gsi1',
    requests: '1 per page, and 1 per MB of all of them',
    expected: { 'Query gsi1': 2 },
    run: async (services) => {
      const asked = { limit: 1, total: 'true' };
      return (await bodyOf(services, `/v1/entities/Artist/${artist}/related/Song`, asked))['total'];
    },
    gives: songsOfArtist,
  },
  {
    ask: 'a page of a search, with the total',
    how: 'gsi2; count of gsi2',
    requests: 'shards, and 1 per MB of all of them',
    expected: { 'Query gsi2': 2 },
    run: async (services) => {
      const asked = { eq: artist, limit: 1, total: 'true' };
      return (await bodyOf(services, '/v1/search/Song/byArtistAndYear', asked))['total'];
    },
    gives: songsOfArtist,
  },
  {
    ask: 'some attributes of an entity, without relations to many',
    how: 'GetItem, consistent',
    requests: '1',
    expected: { GetItem: 1 },
    run: async (services) => {
      const path = `/v1/entities/Song/${song}`;
      return (await bodyOf(services, path, { fields: 'released' }))['attributes'];
    },
    gives: { released: 1973 },
  },
];

/** Lists with attributes of related entities, and the relation between two entities. */
export const includePatterns: Pattern[] = [
  {
    ask: 'whether two entities are related, with the attributes of the relation',
    how: 'GetItem, consistent',
    requests: '1',
    expected: { GetItem: 1 },
    run: async (services) =>
      (await bodyOf(services, `${group}/relations/members/${artist}`, {}))['attributes'],
    gives: { role: 'bass' },
  },
  {
    ask: 'a page of 10 entities, with an attribute of a related entity of each',
    how: 'gsi1, BatchGetItem',
    requests: 'shards, and 1 per 100',
    expected: { 'Query gsi1': 1, BatchGetItem: 1 },
    run: (services) => items(services, '/v1/entities/Song', { limit: 10, include: 'artist.name' }),
    gives: 10,
  },
  {
    ask: 'a page of 10 of a search, with the entities and an attribute of a related entity of each',
    how: 'gsi2, BatchGetItem twice',
    requests: 'shards, and 2 per 100',
    expected: { 'Query gsi2': 1, BatchGetItem: 2 },
    run: (services) => {
      const asked = { prefix: 'song', limit: 10, whole: 'true', include: 'artist.name' };
      return items(services, '/v1/search/Song/byTitle', asked);
    },
    gives: 10,
  },
];

/** Changes of groups. */
export const groupChangePatterns: Pattern[] = [
  {
    ask: 'change a score in the first ranking of a type, within one entity',
    how: 'UpdateItem',
    requests: '1',
    expected: { UpdateItem: 1 },
    run: (services) => patch(services, '/v1/entities/Member/m2', { attributes: { points: 5 } }),
    gives: 200,
  },
  {
    ask: 'change an attribute of a relation',
    how: 'Query of its partition and BatchGetItem of the other entity, consistent; transaction',
    requests: '1 per page, 1 per 100 named relations, and 1',
    expected: { Query: 1, BatchGetItem: 1, TransactWriteItems: 1 },
    run: (services) => {
      const members = { add: [{ id: artist, attributes: { role: 'drums' } }] };
      return patch(services, group, { relations: { members } });
    },
    gives: 200,
  },
];
