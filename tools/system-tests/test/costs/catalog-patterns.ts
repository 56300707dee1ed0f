import { idOf, songsOfArtist } from './seed-catalog.ts';
import { lengthOf, search } from './pattern.ts';
import type { MeteredServices } from './metered-services.ts';
import type { Pattern } from './pattern.ts';

function items(
  services: MeteredServices,
  path: string,
  question: Record<string, string | number> = {},
) {
  return lengthOf(services, ['catalog', `${path}?${search(question)}`], 'items');
}

const artist = idOf('artist', 0);
const song = idOf('song', 3);

/** Queries of the catalog, for an artist with eight songs among all others. */
export const catalogPatterns: Pattern[] = [
  {
    ask: 'an entity with its relations',
    how: 'Query of its partition, consistent',
    requests: '1 per page',
    expected: { Query: 1 },
    run: async (services) =>
      (await services.ask('catalog', `/v1/entities/Song/${song}`)).body['relations'],
    gives: { artist },
  },
  {
    ask: '10 entities by their ids',
    how: 'BatchGetItem',
    requests: '1 per 100',
    expected: { BatchGetItem: 1 },
    run: (services) => {
      const ids = Array.from({ length: 10 }, (_, index) => `id=${idOf('song', index)}`);
      return lengthOf(services, ['catalog', `/v1/entities/Song?${ids.join('&')}`], 'items');
    },
    gives: 10,
  },
  {
    ask: 'entities of a type by id (ULIDs: by creation), a page of 10',
    how: 'gsi1',
    requests: 'shards',
    expected: { 'Query gsi1': 1 },
    run: (services) => items(services, '/v1/entities/Song', { limit: 10 }),
    gives: 10,
  },
  {
    ask: 'outgoing relations of an entity, to one type',
    how: 'Query of its partition',
    requests: '1 per page',
    expected: { Query: 1 },
    run: (services) => items(services, `/v1/entities/Song/${song}/related/Artist`),
    gives: 1,
  },
  {
    ask: 'incoming relations of an entity, from one type: 8',
    how: 'gsi1',
    requests: '1 per page',
    expected: { 'Query gsi1': 1 },
    run: (services) => items(services, `/v1/entities/Artist/${artist}/related/Song`),
    gives: songsOfArtist,
  },
  {
    ask: 'the same, with the entities themselves',
    how: 'gsi1, BatchGetItem',
    requests: '1 per page, and 1 per 100',
    expected: { 'Query gsi1': 1, BatchGetItem: 1 },
    run: (services) =>
      items(services, `/v1/entities/Artist/${artist}/related/Song`, { whole: 'true' }),
    gives: songsOfArtist,
  },
  {
    ask: 'entities by an attribute: equality',
    how: 'gsi2',
    requests: 'shards',
    expected: { 'Query gsi2': 1 },
    run: (services) => items(services, '/v1/search/Song/byTitle', { eq: 'ｓｏｎｇ 00003' }),
    gives: 1,
  },
  {
    ask: 'entities by an attribute: prefix',
    how: 'gsi2',
    requests: 'shards',
    expected: { 'Query gsi2': 1 },
    run: (services) =>
      items(services, '/v1/search/Song/byTitle', { prefix: 'SONG 0000', limit: 5 }),
    gives: 5,
  },
  {
    ask: 'entities by several attributes: the songs of an artist of three years',
    how: 'gsi2',
    requests: 'shards',
    expected: { 'Query gsi2': 1 },
    run: (services) => {
      const years = { eq: artist, from: 1971, to: 1973 };
      return items(services, '/v1/search/Song/byArtistAndYear', years);
    },
    gives: 3,
  },
  {
    ask: 'the same, with the entities themselves',
    how: 'gsi2, BatchGetItem',
    requests: 'shards, and 1 per 100',
    expected: { 'Query gsi2': 1, BatchGetItem: 1 },
    run: (services) => {
      const years = { eq: artist, from: 1971, to: 1973, whole: 'true' };
      return items(services, '/v1/search/Song/byArtistAndYear', years);
    },
    gives: 3,
  },
  {
    ask: 'top 10 of a ranking',
    how: 'gsi2',
    requests: 'shards',
    expected: { 'Query gsi2': 1 },
    run: (services) => items(services, '/v1/rankings/Song/byPlays', { limit: 10 }),
    gives: 10,
  },
  {
    ask: 'rank of an entity, and 2 neighbours on either side',
    how: 'GetItem; gsi2 in both directions; count of gsi2 from the top',
    requests: '1 + 2 shards + 1 per MB before the entity',
    expected: { GetItem: 1, 'Query gsi2': 3 },
    run: async (services) => {
      const { body } = await services.ask(
        'catalog',
        `/v1/rankings/Song/byPlays/${song}?neighbours=2`,
      );
      return [body['rank'], (body['items'] as unknown[]).length];
    },
    gives: [4, 5],
  },
];
