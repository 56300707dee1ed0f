/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters, @typescript-eslint/no-unused-vars
   -- only the types are checked */
/** Checked by the compiler only: an `@ts-expect-error` without an error is an error. */
import { declareType } from '../src/index.ts';
import { Artist, Song } from './music.ts';
import type { Client, EntityOf } from '../src/index.ts';

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <_True extends true>(): void => undefined;

const Thing = declareType({
  name: 'Thing',
  attributes: [
    { name: 'tags', kind: 'set' },
    { name: 'sizes', kind: 'set', of: 'number' },
    { name: 'parts', kind: 'map' },
    { name: 'stock', kind: 'number' },
    { name: 'code', kind: 'text', unique: true },
    { name: 'badge', kind: 'number', unique: true },
    { name: 'born', kind: 'instant', unique: true },
  ],
  searches: [{ name: 'byTag', parts: [{ attribute: 'tags' }] }],
  additional: true,
});

export async function checkTypes(client: Client): Promise<void> {
  const songs = client.entities(Song);

  holds<
    Equal<
      EntityOf<typeof Song>['attributes'],
      {
        title: string;
        changedAt: string;
        released?: number;
        live?: boolean;
        heardAt?: string;
      }
    >
  >();
  holds<Equal<EntityOf<typeof Song>['relations'], { artist?: string; featuring?: string[] }>>();
  holds<Equal<EntityOf<typeof Song>['type'], 'Song'>>();

  await songs.put('1', { attributes: { title: 'Heroes', released: 1977n, heardAt: new Date(0) } });
  await songs.put('1', { attributes: { title: 'Heroes' }, relations: { artist: '1' } });
  // @ts-expect-error -- title is required
  await songs.put('1', { attributes: { released: 1977 } });
  // @ts-expect-error -- attributes are required, since one of them is
  await songs.put('1', {});
  // @ts-expect-error -- there is no attribute of that name
  await songs.put('1', { attributes: { title: 'Heroes', year: 1977 } });
  // @ts-expect-error -- it is a number, not a text
  await songs.put('1', { attributes: { title: 'Heroes', released: '1977' } });
  // @ts-expect-error -- the relation is to one entity
  await songs.put('1', { attributes: { title: 'Heroes' }, relations: { artist: ['1'] } });

  await songs.patch('1', {
    attributes: { released: null },
    relations: { featuring: { add: ['2'] } },
  });
  // @ts-expect-error -- a required attribute cannot be removed
  await songs.patch('1', { attributes: { title: null } });
  // @ts-expect-error -- there is no such relation
  await songs.patch('1', { relations: { band: '1' } });

  for await (const { values } of songs.search('byArtistAndYear', { eq: ['1'], from: 1970 })) {
    holds<Equal<typeof values, { artist: string; released: number }>>();
  }
  for await (const { attributes } of songs.search('byTitle', { prefix: 'he', whole: true })) {
    holds<Equal<(typeof attributes)['title'], string>>();
  }
  // @ts-expect-error -- there is no such search
  songs.search('byYear');
  // @ts-expect-error -- the second part is a number
  songs.search('byArtistAndYear', { eq: ['1', '1977'] });
  // @ts-expect-error -- there are two parts
  songs.search('byArtistAndYear', { eq: ['1', 1977, 1] });
  songs.ranking('newest', { from: 1970, to: 1979n });
  // @ts-expect-error -- a range has numbers or instants
  songs.ranking('newest', { from: true });
  // @ts-expect-error -- the ranking is called newest
  songs.ranking('oldest');

  for await (const related of client.entities(Artist).related('1', Song, { whole: true })) {
    holds<Equal<(typeof related)['entity']['attributes']['title'], string>>();
  }

  const things = client.entities(Thing);
  await things.put('1', {
    attributes: { tags: ['a'], sizes: [1n], parts: { a: [null] }, more: 1 },
  });
  // @ts-expect-error -- members are numbers
  await things.put('1', { attributes: { sizes: ['1'] } });
  const conditions = { stock: { atLeast: 1 } };
  await things.patch('1', {
    attributes: { stock: { add: -1 }, tags: { append: ['b'] } },
    conditions,
  });
  // @ts-expect-error -- a map cannot be added to
  await things.patch('1', { attributes: { parts: { add: 1 }, tags: { add: 1 } } });
  // @ts-expect-error -- there is no attribute of that name
  await songs.patch('1', { conditions: { plays: { atLeast: 1 } } });
  for await (const { values } of things.search('byTag', { eq: ['a'] })) {
    holds<Equal<typeof values, { tags: string }>>();
  }

  // @ts-expect-error -- the device is required
  await client.query.getReadings({ from: 'now-1h' });
  const { body } = await client.query.getReadings({ id: 'a', order: 'desc' });
  holds<Equal<(typeof body.items)[number]['time'], string>>();
  // @ts-expect-error -- a device is no list
  holds<Equal<typeof client.registry.getDevice.items, unknown>>();
}

declareType({
  name: 'Wrong',
  attributes: [{ name: 'title', kind: 'text' }],
  // @ts-expect-error -- there is no attribute `name`
  searches: [{ name: 'byName', parts: [{ attribute: 'name' }] }],
});

declareType({
  name: 'Wrong',
  // @ts-expect-error -- there is no such kind
  attributes: [{ name: 'title', kind: 'txt' }],
});

declareType({
  name: 'Wrong',
  attributes: [{ name: 'points', kind: 'number' }],
  // @ts-expect-error -- there is no attribute `at`
  rankings: [{ name: 'r', attribute: 'points', ties: { attribute: 'at', direction: 'ascending' } }],
});

const Photo = declareType({
  name: 'Photo',
  attributes: [
    { name: 'tags', kind: 'set', required: true },
    { name: 'views', kind: 'number' },
    { name: 'place', kind: 'map' },
  ],
  searches: [{ name: 'byTag', parts: [{ attribute: 'tags' }] }],
});

export async function checkKinds(client: Client): Promise<void> {
  const photos = client.entities(Photo);
  await photos.put('1', { attributes: { tags: ['a'], place: { x: [1, null] } } });
  await photos.patch('1', {
    attributes: { views: { add: 1 }, tags: { append: ['b'], remove: ['a'] }, place: { add: 1 } },
    conditions: { views: { atLeast: 1 }, tags: { contains: 'a' } },
  });
  // @ts-expect-error -- a set is appended to
  await photos.patch('1', { attributes: { tags: { add: 1 } } });
  // @ts-expect-error -- there is no attribute of that name
  await photos.patch('1', { attributes: { views: 1 }, conditions: { likes: { atLeast: 1 } } });
  // @ts-expect-error -- a set is a list
  await photos.put('1', { attributes: { tags: 'a' } });
  for await (const { values } of photos.search('byTag', { eq: ['a'] })) {
    holds<Equal<typeof values, { tags: string }>>();
  }
}

export async function checkUniqueValues(client: Client): Promise<void> {
  const things = client.entities(Thing);
  const found = await things.getBy('code', 'a');
  holds<Equal<typeof found, Awaited<ReturnType<typeof things.get>>>>();
  await things.getBy('badge', 7n, { fields: ['stock'] });
  await things.getBy('born', new Date(0));
  // @ts-expect-error -- the value is a number
  await things.getBy('badge', '7');
  // @ts-expect-error -- the attribute is not unique
  await things.getBy('stock', 7);
  // @ts-expect-error -- no attribute of songs is unique
  await client.entities(Song).getBy('title', 'Heroes');
}
