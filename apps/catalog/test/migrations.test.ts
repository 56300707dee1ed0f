import { declare, foundIn, itemsOf, make, pathOf, put } from './entities.ts';
import { replaceToBuild, restartSettling, startSettling } from './held-builds.ts';
import { ask, idsIn, problemOf, walk } from './list-queries.ts';
import { startTable } from './table.ts';
import { getType, putType, untilBuilt } from './types.ts';
import type { Catalog } from './catalog.ts';
import type { StartedTable } from './table.ts';

const artist = { attributes: [{ name: 'name', kind: 'text' }] };
const song = {
  attributes: [
    { name: 'title', kind: 'text' },
    { name: 'year', kind: 'text' },
    { name: 'note', kind: 'text' },
  ],
  relations: [
    { name: 'by', to: 'Artist' },
    { name: 'with', to: 'Artist', many: true },
  ],
  searches: [{ name: 'byTitle', parts: [{ attribute: 'title' }] }],
  fullText: ['title'],
};
const [title, year, note] = song.attributes as [object, object, object];
const renamed = {
  ...song,
  attributes: [{ name: 'name', kind: 'text', renamedFrom: 'title' }, year, note],
  relations: [
    { name: 'artist', to: 'Artist', renamedFrom: 'by' },
    { name: 'featuring', to: 'Artist', many: true, renamedFrom: 'with' },
  ],
  searches: [{ name: 'byTitle', parts: [{ attribute: 'name' }] }],
  fullText: ['name'],
};
const converted = {
  ...song,
  attributes: [title, { name: 'year', kind: 'number', convert: true }, note],
};

interface EntityResponse {
  id: string;
  attributes: Record<string, unknown>;
  relations: Record<string, unknown>;
  unconverted?: Record<string, unknown>;
  version: number;
}

describe('a type that is migrated', () => {
  let started: StartedTable;
  let catalog: Catalog;
  // Each test has a service of its own, and replaces it to begin the build.
  beforeEach(async () => {
    started = await startTable();
    catalog = await startSettling(started);
    await declare(catalog, { Artist: artist, Song: song });
    await make(
      catalog,
      ...['1', '2', '3'].map((id) => ['Artist', id, { attributes: { name: id } }] as const),
      [
        'Song',
        'a',
        {
          attributes: { title: 'Heroes', year: '1977', note: 'x' },
          relations: { by: '1', with: ['1', '2'] },
        },
      ],
      ['Song', 'b', { attributes: { title: 'Low', year: 'about 1977' } }],
    );
  });
  afterEach(async () => {
    await catalog.close();
    await started.close();
  });
  const build = async () => (catalog = await replaceToBuild(catalog, started, 'Song'));
  const get = (id: string) => ask<EntityResponse>(catalog, ['entities', 'Song', id]);
  const patch = (id: string, body: object) =>
    catalog.ask(pathOf('Song', id), { method: 'PATCH', body });

  /** The results of all queries, during and after the build. */
  async function always(check: () => Promise<void>): Promise<void> {
    expect(await getType(catalog, 'Song')).toHaveProperty('build');
    await check();
    await build();
    await check();
  }

  it('has the new names of attributes and relations immediately in all responses', async () => {
    expect(await putType(catalog, 'Song', renamed)).toMatchObject({ status: 200 });
    const attributes = { name: 'Heroes', year: '1977', note: 'x' };
    await always(async () => {
      const whole = { attributes, relations: { artist: '1', featuring: ['1', '2'] }, version: 1 };
      expect(await get('a')).toMatchObject(whole);
      const listed = await walk<EntityResponse>(catalog, ['entities', 'Song'], { whole: 'true' });
      expect(listed[0]?.items[0]).toMatchObject(whole);
      const plain = { attributes, relations: { artist: '1' } };
      expect(
        (await walk<EntityResponse>(catalog, ['entities', 'Song']))[0]?.items[0],
      ).toMatchObject(plain);
      const related = ['entities', 'Artist', '1', 'related', 'Song'];
      const parameters = { relation: 'featuring', whole: 'true' };
      expect((await walk(catalog, related, parameters))[0]?.items).toMatchObject([
        { id: 'a', relations: ['artist', 'featuring'], entity: plain },
      ]);
      const forward = ['entities', 'Song', 'a', 'related', 'Artist'];
      expect(idsIn(await walk(catalog, forward, { relation: 'artist' }))).toEqual(['1']);
    });
    expect(JSON.stringify(await itemsOf(catalog.table, 'Song', 'a'))).not.toMatch(
      /title"|"by"|with/,
    );
    const found = await walk(catalog, ['search', 'Song', 'byTitle'], { eq: 'Heroes' });
    expect(found[0]?.items).toEqual([{ id: 'a', values: { name: 'Heroes' } }]);
  });

  it('is unchanged by an equal declaration, and refuses contradictory renames', async () => {
    await putType(catalog, 'Song', renamed);
    const { version } = await getType(catalog, 'Song');
    await putType(catalog, 'Song', renamed);
    expect((await getType(catalog, 'Song')).version).toBe(version);
    const both = { ...renamed, attributes: [...renamed.attributes, title] };
    expect(problemOf(await putType(catalog, 'Song', both))).toEqual({
      status: 400,
      type: 'invalid-request',
      paths: ['body.attributes[0].renamedFrom'],
    });
  });

  it('accepts writes with the new names during the migration', async () => {
    await putType(catalog, 'Song', renamed);
    expect(await patch('a', { attributes: { name: 'Helden' } })).toMatchObject({ status: 200 });
    expect(await patch('a', { relations: { featuring: { add: ['3'] } } })).toMatchObject({
      status: 200,
    });
    expect(problemOf(await patch('a', { attributes: { title: 'x' } })).paths).toEqual([
      'body.attributes.title',
    ]);
    await always(async () => {
      expect(await get('a')).toMatchObject({
        attributes: { name: 'Helden', year: '1977' },
        relations: { artist: '1', featuring: ['1', '2', '3'] },
      });
    });
  });

  it('loses only removed attributes and relations', async () => {
    const less = { ...song, attributes: [title, year], relations: song.relations.slice(0, 1) };
    const settled = catalog.table;
    expect(problemOf(await putType(catalog, 'Song', less))).toEqual({
      status: 409,
      type: 'type-in-use',
      paths: ['body.attributes', 'body.relations'],
    });
    expect(await putType(catalog, 'Song', { ...less, removed: ['note', 'with'] })).toMatchObject({
      status: 200,
    });
    await always(async () => {
      expect(await get('a')).toMatchObject({
        attributes: { title: 'Heroes', year: '1977' },
        relations: { by: '1' },
      });
      expect((await get('a')).relations).not.toHaveProperty('with');
      expect((await get('a')).attributes).not.toHaveProperty('note');
      const related = ['entities', 'Artist', '2', 'related', 'Song'];
      expect(idsIn(await walk(catalog, related))).toEqual([]);
    });
    expect(JSON.stringify(await itemsOf(settled, 'Song', 'a'))).not.toMatch(/note|with/);
    // The name is free, and can be declared for another attribute.
    expect(await putType(catalog, 'Song', song)).toMatchObject({ status: 200 });
    expect((await get('a')).attributes).not.toHaveProperty('note');
  });

  it('converts values to another kind, and keeps unconvertible values until they are replaced', async () => {
    const byYear = { name: 'byYear', parts: [{ attribute: 'year' }] };
    const wrong = { ...song, attributes: [title, { name: 'year', kind: 'number' }, note] };
    expect(problemOf(await putType(catalog, 'Song', wrong)).type).toBe('type-in-use');
    await putType(catalog, 'Song', { ...converted, searches: [...song.searches, byYear] });
    await always(async () => {
      expect(await get('a')).toMatchObject({ attributes: { year: 1977 } });
      const unconverted = { year: 'about 1977' };
      expect(await get('b')).toMatchObject({ attributes: { title: 'Low' }, unconverted });
      const [page] = await walk<EntityResponse>(catalog, ['entities', 'Song']);
      expect(page?.items[1]).toMatchObject({ unconverted });
    });
    expect(await getType(catalog, 'Song')).toMatchObject({
      unconverted: [
        { attribute: 'year', count: 1, examples: [{ id: 'b', reason: 'is "about 1977"' }] },
      ],
    });
    expect(await foundIn(catalog.table, 'Song', 'byYear')).toEqual(['a']);
    // A response that is sent back keeps the value.
    await put(catalog, ['Song', 'b'], { attributes: { title: 'Low' } });
    expect(await get('b')).toHaveProperty('unconverted');
    await patch('b', { attributes: { year: 1977 } });
    expect(await get('b')).not.toHaveProperty('unconverted');
    expect(await getType(catalog, 'Song')).not.toHaveProperty('unconverted');
    expect(await foundIn(catalog.table, 'Song', 'byYear')).toEqual(['a', 'b']);
  });

  it('removes an unconvertible value by null, also if no search has the attribute', async () => {
    await putType(catalog, 'Song', converted);
    await build();
    expect(await patch('b', { attributes: { note: 'y' } })).toMatchObject({
      body: { unconverted: { year: 'about 1977' } },
    });
    expect(await patch('b', { attributes: { year: null } })).toMatchObject({ status: 200 });
    expect(await get('b')).not.toHaveProperty('unconverted');
    expect(await getType(catalog, 'Song')).not.toHaveProperty('unconverted');
  });

  it('accepts a second migration during the first', async () => {
    await putType(catalog, 'Song', renamed);
    const [name, , ...others] = renamed.attributes;
    const again = {
      ...renamed,
      attributes: [
        { ...name, name: 'label', renamedFrom: 'name' },
        { name: 'year', kind: 'number', convert: true },
        ...others,
      ],
      searches: [{ name: 'byTitle', parts: [{ attribute: 'label' }] }],
      fullText: ['label'],
    };
    expect(await putType(catalog, 'Song', again)).toMatchObject({ status: 200 });
    // Some entities may still have the old value under that name.
    const reused = { ...again, attributes: [...again.attributes, title] };
    expect(problemOf(await putType(catalog, 'Song', reused))).toEqual({
      status: 409,
      type: 'type-in-use',
      paths: ['body.attributes[3].name'],
    });
    await always(async () => {
      expect(await get('a')).toMatchObject({
        attributes: { label: 'Heroes', year: 1977, note: 'x' },
        relations: { artist: '1', featuring: ['1', '2'] },
      });
    });
    expect(await foundIn(catalog.table, 'Song', 'byTitle')).toEqual(['a', 'b']);
  });

  it('can be deleted and declared again during a migration', async () => {
    catalog = await restartSettling(catalog, started, 1000);
    await putType(catalog, 'Song', converted);
    for (const id of ['a', 'b']) await catalog.ask(pathOf('Song', id), { method: 'DELETE' });
    expect(await catalog.ask('/v1/types/Song', { method: 'DELETE' })).toMatchObject({
      status: 204,
    });
    await declare(catalog, { Song: song });
    await untilBuilt(catalog, 'Song');
    await make(catalog, ['Song', 'c', { attributes: { year: 'never' } }]);
    expect(await get('c')).toMatchObject({ attributes: { year: 'never' } });
  });
});
