/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters, @typescript-eslint/no-unused-vars
   -- only the types are checked */
/** Checked by the compiler only, like types.ts: relations with attributes, parts of entities, transactions. */
import { declareType } from '../src/index.ts';
import { Artist, Song } from './music.ts';
import type { Client } from '../src/index.ts';

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <_True extends true>(): void => undefined;

const Thing = declareType({
  name: 'Thing',
  attributes: [{ name: 'stock', kind: 'number' }],
  additional: true,
});

const Club = declareType({
  name: 'Club',
  attributes: [{ name: 'title', kind: 'text', required: true }],
  relations: [
    {
      name: 'members',
      to: 'Artist',
      many: true,
      attributes: [
        { name: 'role', kind: 'text', required: true },
        { name: 'since', kind: 'instant' },
      ],
    },
    { name: 'songs', to: 'Song', many: true },
  ],
});

export async function checkRelations(client: Client): Promise<void> {
  const clubs = client.entities(Club);
  const anna = { id: 'anna', attributes: { role: 'chair', since: new Date(0) } };
  await clubs.put('1', { attributes: { title: 'Chess' }, relations: { members: [anna, 'ben'] } });
  const change = {
    members: { add: [{ id: 'anna', attributes: { since: null } }], remove: ['ben'] },
  };
  await clubs.patch('1', { relations: change });
  const none = { relations: { members: [{ id: 'anna', attributes: {} }] } };
  // @ts-expect-error -- the relation requires a role
  await clubs.put('1', { attributes: { title: 'Chess' }, ...none });
  const without = { members: { add: [{ id: 'a', attributes: { role: null } }] } };
  // @ts-expect-error -- a required attribute cannot be removed
  await clubs.patch('1', { relations: without });
  // @ts-expect-error -- this relation has no attributes
  await clubs.put('1', { attributes: { title: 'Chess' }, relations: { songs: [{ id: '1' }] } });
  const club = await clubs.get('1');
  type Members = NonNullable<NonNullable<typeof club>['relations']['members']>;
  holds<Equal<Members, { id: string; attributes?: { role?: string; since?: string } }[]>>();
  for await (const { attributes, relations } of clubs.related('1', Artist, {
    relation: 'members',
  })) {
    holds<Equal<typeof relations, 'members'[]>>();
    holds<
      Equal<NonNullable<NonNullable<typeof attributes>['members']>['role'], string | undefined>
    >();
  }
  for await (const { attributes } of client.entities(Artist).related('anna', Club)) {
    holds<
      Equal<NonNullable<NonNullable<typeof attributes>['members']>['role'], string | undefined>
    >();
  }
  const member = await clubs.relation('1', 'members', 'anna');
  holds<Equal<NonNullable<typeof member>['attributes'], { role?: string; since?: string }>>();
  holds<Equal<NonNullable<typeof member>['type'], 'Artist'>>();
  // @ts-expect-error -- there is no such relation
  await clubs.relation('1', 'member', 'anna');
  // @ts-expect-error -- the relation is to songs
  clubs.related('1', Artist, { relation: 'songs' });
}

export async function checkParts(client: Client): Promise<void> {
  const songs = client.entities(Song);
  const part = await songs.get('1', { fields: ['title', 'artist'] });
  holds<Equal<NonNullable<typeof part>['attributes'], { title: string }>>();
  holds<Equal<NonNullable<typeof part>['relations'], { artist?: string }>>();
  // @ts-expect-error -- there is no such attribute or relation
  await songs.get('1', { fields: ['year'] });
  const asked = { prefix: 'he', whole: true, fields: ['released'] } as const;
  const { items, total } = await songs.search('byTitle', asked).page({ total: true });
  holds<Equal<(typeof items)[number]['attributes'], { released?: number }>>();
  holds<Equal<typeof total, number>>();
  const page = await songs.list().page();
  // @ts-expect-error -- the field was not requested
  holds<Equal<typeof page.total, number>>();
  const open = await client.entities(Thing).get('1', { fields: ['stock', 'anything'] });
  holds<Equal<NonNullable<typeof open>['attributes']['stock'], number | undefined>>();
}

export async function checkTransactions(client: Client): Promise<void> {
  const { operation: song } = client.entities(Song);
  const { operation: artist } = client.entities(Artist);
  const [made, changed, gone, checked] = await client.transaction([
    artist.put('1', { attributes: { name: 'Bowie' } }, { ifNoneMatch: '*' }),
    song.patch('1', { attributes: { released: { add: 1 } } }),
    song.delete('2', { conditions: { released: { atMost: 1970 } } }),
    artist.check('2', { conditions: { name: { equals: 'Eno' } } }),
  ]);
  holds<Equal<(typeof made)['attributes']['name'], string>>();
  holds<Equal<(typeof changed)['attributes']['title'], string>>();
  holds<Equal<typeof gone, undefined>>();
  holds<Equal<typeof checked, { etag: string }>>();
  // @ts-expect-error -- there is no such attribute
  song.delete('2', { conditions: { year: { exists: true } } });
  // @ts-expect-error -- title is required
  song.put('3', { attributes: {} });
  // @ts-expect-error -- the year is a number
  await client.entities(Song).delete('2', { conditions: { released: { equals: '1970' } } });
  // @ts-expect-error -- a number has no members
  await client.entities(Song).delete('2', { conditions: { released: { contains: 1 } } });
  await client.entities(Song).createAll([{ id: '1', attributes: { title: 'Heroes' } }]);
  // @ts-expect-error -- title is required
  await client.entities(Song).createAll([{ id: '1', attributes: {} }]);
}
