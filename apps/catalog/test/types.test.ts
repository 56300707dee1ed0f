import { openBeforeAll } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { declare, make, ownName, pathOf, quiet } from './entities.ts';
import { byBytes } from './list-queries.ts';
import { shownSong as shown, song } from './song-type.ts';
import { startTable } from './table.ts';
import { putType, typePath, untilBuilt, untilIdle } from './types.ts';

/** No replica writes with outdated types, so closing a type need not wait. */
const settled = { ...quiet, TYPE_SETTLE_MS: '0' };

describe('types', () => {
  const started = openBeforeAll(startTable);
  const catalog = openBeforeAll(() => catalogOn(started, settled));
  let Song: string;
  beforeAll(() => declare(catalog, { Artist: {} }));
  beforeEach(() => (Song = ownName('Song')));
  afterEach(() => untilIdle(catalog));

  it('are ready after their declaration, and returned with default values', async () => {
    const answer = await putType(catalog, Song, song);
    expect(answer).toMatchObject({ status: 201, body: { ...shown, name: Song } });
    expect(answer.headers.get('etag')).toBe('"1"');
    const read = await catalog.ask(typePath(Song));
    expect(read.body).toEqual(answer.body);
    expect(read.headers.get('etag')).toMatch(/^"1\.[\w-]{22}"$/);
    expect(await catalog.ask(typePath(ownName('Singer')))).toMatchObject({ status: 404 });
  });

  it('are replaced as a whole with a new version, at a documented cost', async () => {
    await putType(catalog, Song, song);
    const live = { name: 'live', kind: 'boolean' };
    const more = { ...song, attributes: [...song.attributes, live] };
    let answer = {};
    const cost = await catalog.costOf(async () => (answer = await putType(catalog, Song, more)));
    expect(answer).toMatchObject({ status: 200, body: { version: 2 } });
    // Reads the type and the types' change marker, writes the change, and reads the current types.
    expect(cost).toEqual({ GetItem: 2, TransactWriteItems: 1, Query: 1 });
    const again = await catalog.costOf(async () => (answer = await putType(catalog, Song, more)));
    expect(answer).toMatchObject({ status: 200, body: { version: 2 } });
    expect(again).toEqual({ GetItem: 1 });
  });

  it('are listed by name, in pages', async () => {
    const names = ['Plain', '歌手', 'a/b', '__proto__', 'constructor'];
    for (const name of [...names, 'gone']) await putType(catalog, name, {});
    await catalog.ask(typePath('gone'), { method: 'DELETE' });
    const found: string[] = [];
    let query = '?limit=2';
    for (;;) {
      const { status, body } = await catalog.ask(`/v1/types${query}`);
      expect(status).toBe(200);
      const { items, cursor } = body as { items: { name: string }[]; cursor?: string };
      expect(items.length).toBeLessThanOrEqual(2);
      found.push(...items.map(({ name }) => name));
      if (cursor === undefined) break;
      query = `?limit=2&cursor=${encodeURIComponent(cursor)}`;
    }
    // Types of other tests are among them.
    expect(found).toEqual(found.toSorted(byBytes));
    expect(new Set(found).size).toBe(found.length);
    expect(found).toEqual(expect.arrayContaining(names));
    expect(found).not.toContain('gone');
  });

  it('are distinct for any characters in their names', async () => {
    const names = ['a#b', 'a', 'b', 'a$', 'a b', 'TYPE', 'MARK', 'Song', 'song', '漢'.repeat(128)];
    for (const [index, name] of names.entries()) {
      const attributes = [{ name: `n${index}`, kind: 'text' }];
      expect(await putType(catalog, name, { attributes })).toMatchObject({ status: 201 });
    }
    for (const [index, name] of names.entries()) {
      const attributes = [{ name: `n${index}`, kind: 'text', required: false }];
      expect(await catalog.ask(typePath(name))).toMatchObject({ body: { name, attributes } });
    }
    for (const name of ['a\u0000', 'a'.repeat(129)]) {
      expect(await putType(catalog, name, {})).toMatchObject({ status: 400 });
    }
  });

  it('honour If-Match and If-None-Match', async () => {
    const put = async (headers: Record<string, string>, body: object = song) => {
      const { status, body: answered } = await putType(catalog, Song, body, headers);
      return [status, (answered as { type?: string }).type?.split('/').at(-1)];
    };
    expect(await put({ 'if-match': '"1"' })).toEqual([404, 'type-not-found']);
    expect(await put({ 'if-match': '*' })).toEqual([404, 'type-not-found']);
    expect(await put({ 'if-none-match': '*' })).toEqual([201, undefined]);
    expect(await put({ 'if-none-match': '*' })).toEqual([412, 'already-exists']);
    expect(await put({ 'if-match': '"2"' })).toEqual([412, 'version-mismatch']);
    expect(await put({ 'if-match': '"1"' }, {})).toEqual([200, undefined]);
    expect(await put({ 'if-match': '*' })).toEqual([200, undefined]);
    expect(await put({ 'if-match': '*', 'if-none-match': '*' })).toEqual([400, 'invalid-request']);
  });

  it('lose no change of concurrent replicas', async () => {
    const [one, other] = [await catalogOn(started, settled), await catalogOn(started, settled)];
    try {
      const attributesOf = (index: number) => [{ name: `n${index}`, kind: 'text' }];
      const replicas = [one, other, one, other, one, other];
      const answers = await Promise.all(
        replicas.map((replica, index) =>
          putType(replica, Song, { attributes: attributesOf(index) }),
        ),
      );
      const versions = answers.map(({ body }) => (body as { version: number }).version);
      expect(versions.sort()).toEqual([1, 2, 3, 4, 5, 6]);
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      const contested = await Promise.all(
        replicas.map((replica, index) =>
          putType(replica, Song, { attributes: attributesOf(10 + index) }, { 'if-match': '"6"' }),
        ),
      );
      expect(contested.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
      // Nobody polls for tasks that a replica leaves when it closes.
      await untilIdle(catalog);
    } finally {
      await Promise.all([one, other].map((replica) => replica.close()));
    }
  });

  it('refuse changes that do not fit existing entities', async () => {
    await declare(catalog, { [Song]: song });
    const [title, year, madeAt] = song.attributes;
    const withoutYear = { attributes: [title, madeAt], fullText: ['title'] };
    expect(await putType(catalog, Song, withoutYear)).toMatchObject({ status: 200 });
    await putType(catalog, Song, song);
    await untilBuilt(catalog, Song);
    await make(catalog, [Song, '1', { attributes: { title: 'Heroes' } }]);
    const cost = await catalog.costOf(async () => {
      expect(await putType(catalog, Song, withoutYear)).toMatchObject({
        status: 409,
        body: {
          errors: [
            {
              path: 'body.attributes',
              message: 'must keep the attribute "year", or name it in `removed`',
            },
            {
              path: 'body.relations',
              message: 'must keep the relation "artist", or name it in `removed`',
            },
          ],
        },
      });
    });
    expect(cost).toEqual({ GetItem: 1, Query: 1 });
    const wider = {
      ...song,
      attributes: [title, year, madeAt, { name: 'must', kind: 'text', required: true }],
    };
    expect(await putType(catalog, Song, wider)).toMatchObject({ status: 200 });
  });

  it('can be deleted without entities, and declared again with a later version', async () => {
    await declare(catalog, { [Song]: song });
    await make(catalog, [Song, '1', { attributes: { title: 'Heroes' } }]);
    const remove = (path: string, headers = {}) => catalog.ask(path, { method: 'DELETE', headers });
    expect(await remove(typePath(Song))).toMatchObject({ status: 409 });
    await remove(pathOf(Song, '1'));
    expect(await remove(typePath(Song), { 'if-match': '"7"' })).toMatchObject({ status: 412 });
    expect(await remove(typePath(Song), { 'if-match': '"1"' })).toMatchObject({ status: 204 });
    expect(await remove(typePath(Song))).toMatchObject({ status: 404 });
    expect(await catalog.ask(typePath(Song))).toMatchObject({ status: 404 });
    expect(await catalog.ask(pathOf(Song, '1'))).toMatchObject({ status: 404 });
    expect(await putType(catalog, Song, song, { 'if-match': '*' })).toMatchObject({
      status: 404,
    });
    const again = await putType(catalog, Song, song, { 'if-none-match': '*' });
    expect(again).toMatchObject({ status: 201, body: { version: 3 } });
  });

  it.each<[string, unknown, string[]]>([
    ['no object', [], ['body']],
    ['unknown properties', { name: 'Song', indexes: [] }, ['body.name', 'body.indexes']],
    ['a map', { attributes: { title: {} } }, ['body.attributes']],
    [
      'a kind that is not known',
      { attributes: [{ name: 'a', kind: 'date' }] },
      ['body.attributes[0].kind'],
    ],
    [
      'names that are none',
      { attributes: [{ name: '', kind: 'text' }], relations: [{ name: 'a\nb', to: '..' }] },
      ['body.attributes[0].name', 'body.relations[0].name', 'body.relations[0].to'],
    ],
    [
      'too many parts',
      { searches: [{ name: 's', parts: Array.from({ length: 5 }, () => ({ attribute: 'a' })) }] },
      ['body.searches[0].parts'],
    ],
    ['a search of nothing', { searches: [{ name: 's', parts: [] }] }, ['body.searches[0].parts']],
    [
      'too much of all',
      {
        attributes: Array.from({ length: 101 }, (_, n) => ({ name: `a${n}`, kind: 'text' })),
        relations: Array.from({ length: 51 }, (_, n) => ({ name: `r${n}`, to: 'A' })),
        fullText: Array.from({ length: 21 }, (_, n) => `a${n}`),
      },
      ['body.attributes', 'body.relations', 'body.fullText'],
    ],
    [
      'what contradicts itself',
      { rankings: [{ name: 'top', attribute: 'score' }] },
      ['body.rankings[0].attribute'],
    ],
  ])('are refused with %s', async (_, body, paths) => {
    const answer = await putType(catalog, Song, body);
    expect(answer.status).toBe(400);
    const { errors } = answer.body as { errors: { path: string }[] };
    expect(errors.map(({ path }) => path)).toEqual(paths);
    expect(await catalog.ask(typePath(Song))).toMatchObject({ status: 404 });
  });
});
