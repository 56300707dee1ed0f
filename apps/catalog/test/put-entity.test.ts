import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import {
  declare,
  declareMusic,
  foundIn,
  itemsOf,
  make,
  pathOf,
  put,
  quiet,
  track,
} from './entities.ts';

describe('PUT /v1/entities/{type}/{id}', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));
  let Artist: string;
  let Track: string;
  beforeEach(async () => {
    ({ Artist, Track } = await declareMusic(catalog));
    await make(
      catalog,
      [Artist, '1', { attributes: { name: 'David Bowie' } }],
      [Artist, '2', { attributes: { name: 'Queen' } }],
    );
  });

  const heroes = {
    attributes: { title: 'Heroes', released: 1977, plays: 10, live: false },
    relations: { artist: '1', featuring: ['2'] },
  };

  it('creates an entity with its index rows in one transaction with If-None-Match', async () => {
    const ask = () => put(catalog, [Track, '4'], heroes, { 'if-none-match': '*' });
    let answer = {};
    const cost = await catalog.costOf(async () => (answer = await ask()));
    expect(answer).toMatchObject({
      status: 201,
      body: { type: Track, id: '4', attributes: heroes.attributes, relations: { artist: '1' } },
    });
    expect(cost).toEqual({ TransactWriteItems: 1 });
    for (const search of ['byTitle', 'byArtistAndYear', 'byPlays']) {
      expect(await foundIn(catalog.table, Track, search)).toEqual(['4']);
    }
    expect(await foundIn(catalog.table, Track, 'byLikes')).toEqual([]);
    expect(await ask()).toMatchObject({ status: 412, body: { type: '/problems/already-exists' } });
  });

  it('replaces the entity: missing attributes are removed with their index rows', async () => {
    await put(catalog, [Track, '4'], heroes);
    const next = { attributes: { title: 'Helden', likes: 3 }, relations: { featuring: ['1'] } };
    let answer = {};
    const cost = await catalog.costOf(async () => {
      answer = await put(catalog, [Track, '4'], next);
    });
    expect(answer).toMatchObject({ status: 200, body: { version: 2, relations: {} } });
    // Reads the incarnations of the kept targets.
    expect(cost).toEqual({ Query: 1, BatchGetItem: 1, TransactWriteItems: 1 });
    const { body } = await catalog.ask(pathOf(Track, '4'));
    expect(body).toMatchObject({
      attributes: { title: 'Helden', likes: 3 },
      relations: { featuring: ['1'] },
    });
    expect(await foundIn(catalog.table, Track, 'byPlays')).toEqual([]);
    expect(await foundIn(catalog.table, Track, 'byArtistAndYear')).toEqual([]);
    expect(await foundIn(catalog.table, Track, 'byLikes')).toEqual(['4']);
  });

  it('writes nothing for an equal entity', async () => {
    await put(catalog, [Track, '4'], heroes);
    const before = await itemsOf(catalog.table, Track, '4');
    const cost = await catalog.costOf(async () => {
      expect(await put(catalog, [Track, '4'], heroes)).toMatchObject({ body: { version: 1 } });
    });
    expect(cost).toEqual({ Query: 1, BatchGetItem: 1 });
    expect(await itemsOf(catalog.table, Track, '4')).toEqual(before);
  });

  it('stores exact numbers, instants in UTC, and automatic times', async () => {
    const body = '{"attributes":{"title":"π","likes":3,"recorded":"2026-01-02T03:04:05+09:00"}}';
    const exact = body.replace('"likes":3', '"released":0.1');
    const answer = await catalog.ask(pathOf(Track, '5'), { method: 'PUT', body: exact });
    expect(answer).toMatchObject({
      body: { attributes: { released: 0.1, recorded: '2026-01-01T18:04:05.000Z' } },
    });
    const { attributes, createdAt, updatedAt } = answer.body as {
      attributes: Record<string, unknown>;
      createdAt: string;
      updatedAt: string;
    };
    expect(attributes).toMatchObject({ madeAt: createdAt, changedAt: updatedAt });
    await declare(catalog, { Constant: { attributes: [{ name: 'value', kind: 'number' }] } });
    const digits = '12345678901234567890.123';
    const url = pathOf('Constant', 'c');
    await catalog.ask(url, { method: 'PUT', body: `{"attributes":{"value":${digits}}}` });
    const [item] = await itemsOf(catalog.table, 'Constant', 'c');
    expect(JSON.stringify(item)).toContain(`"value":${digits}`);
  });

  it('writes nothing if a target is missing', async () => {
    const relations = { artist: '9', featuring: ['1', '8'], covers: ['7'] };
    const answer = await put(catalog, [Track, '4'], { ...heroes, relations });
    expect(answer).toMatchObject({
      status: 409,
      body: {
        type: '/problems/related-entity-not-found',
        errors: [
          {
            path: 'body.relations.artist',
            message: `leads to ${Artist} "9", which does not exist`,
          },
          {
            path: 'body.relations.featuring',
            message: `leads to ${Artist} "8", which does not exist`,
          },
          { path: 'body.relations.covers', message: `leads to ${Track} "7", which does not exist` },
        ],
      },
    });
    expect(await itemsOf(catalog.table, Track, '4')).toEqual([]);
  });

  it('accepts relations to the entity itself, and several relations to one target', async () => {
    const relations = { artist: '1', featuring: ['1', '2'], covers: ['4'] };
    await make(catalog, [Track, '4', { ...heroes, relations }]);
    expect(await catalog.ask(pathOf(Track, '4'))).toMatchObject({ body: { relations } });
    await make(catalog, [Track, '4', { ...heroes, relations: { featuring: ['1'] } }]);
    const { body } = await catalog.ask(pathOf(Track, '4'));
    expect(body).toMatchObject({ relations: { featuring: ['1'] } });
  });

  it('honours If-Match: one of two writers with the same ETag is refused', async () => {
    const made = await put(catalog, [Track, '4'], heroes);
    const headers = { 'if-match': made.headers.get('etag') ?? '' };
    const first = await put(catalog, [Track, '4'], { attributes: { title: 'A' } }, headers);
    expect(first).toMatchObject({ status: 200, body: { version: 2 } });
    expect(first.headers.get('etag')).toMatch(/^"2-[0-9A-Z]{26}"$/);
    const second = await put(catalog, [Track, '4'], heroes, headers);
    expect(second).toMatchObject({ status: 412, body: { type: '/problems/version-mismatch' } });
    const none = await put(catalog, [Track, '9'], heroes, { 'if-match': '*' });
    expect(none).toMatchObject({ status: 404, body: { type: '/problems/entity-not-found' } });
  });

  it('reports all errors with their paths', async () => {
    const answer = await put(catalog, [Track, '4'], {
      attributes: { released: 'x', plays: null, live: 1, recorded: 'today', constructor: 1 },
      relations: { artist: ['1'], featuring: ['1', '1'], covers: 4, toString: 'x' },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        errors: [
          { path: 'body.attributes.released', message: 'must be a number' },
          { path: 'body.attributes.plays', message: 'must be a number' },
          { path: 'body.attributes.live', message: 'must be true or false' },
          { path: 'body.attributes.recorded' },
          { path: 'body.attributes.constructor', message: `is not an attribute of ${Track}` },
          { path: 'body.relations.artist', message: 'must be the id of the target entity' },
          { path: 'body.relations.featuring', message: 'must not contain an id twice' },
          { path: 'body.relations.covers' },
          { path: 'body.relations.toString', message: `is not a relation of ${Track}` },
          { path: 'body.attributes.title', message: 'is required' },
        ],
      },
    });
  });

  it.each([
    [
      'a number out of range',
      '{"attributes":{"title":"x","plays":1e400}}',
      'body.attributes.plays',
    ],
    ['half a character', '{"attributes":{"title":"\\ud800"}}', 'body.attributes.title'],
    ['__proto__', '{"attributes":{"title":"x","__proto__":1}}', 'body.attributes.__proto__'],
    ['a list', '{"attributes":[]}', 'body.attributes'],
    ['null', '{"attributes":{"title":"x"},"relations":null}', 'body.relations'],
  ])('refuses %s', async (_, body, path) => {
    const answer = await catalog.ask(pathOf(Track, '4'), { method: 'PUT', body });
    expect(answer.status).toBe(400);
    const { errors } = answer.body as { errors: { path: string }[] };
    expect(errors.map((error) => error.path)).toContain(path);
  });

  it('refuses a body that exceeds the item size', async () => {
    const text = { ...track, searches: [], fullText: [] };
    await declare(catalog, { Text: { attributes: text.attributes } });
    const title = 'x'.repeat(450_000);
    const answer = await put(catalog, ['Text', '1'], { attributes: { title } });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'body' }] } });
  });

  it('answers 404 for an unknown type', async () => {
    const answer = await put(catalog, ['Nothing', '1'], {});
    expect(answer).toMatchObject({ status: 404, body: { type: '/problems/type-not-found' } });
  });
});
