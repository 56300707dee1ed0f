import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { artist, declare, make, pathOf, put, quiet, track } from './entities.ts';
import { ask, queryResponse, itemsIn, problemOf, walk } from './list-queries.ts';
import type { Page, Parameters } from './list-queries.ts';

interface EntityResponse {
  id: string;
  attributes: object;
  relations: object;
  version: number;
  entity?: EntityResponse;
}

/** Names of Object.prototype, and names with separators. */
const odd = ['constructor', 'a,b', 'a.b', 'size', '居間'];
const thing = {
  attributes: [...odd.map((name) => ({ name, kind: 'text' })), { name: 'tags', kind: 'set' }],
  additional: true,
};

describe('the fields parameter', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));
  beforeAll(async () => {
    await declare(catalog, { Artist: artist, Track: track, Thing: thing });
    await make(catalog, ['Artist', '1', { attributes: { name: 'Queen' } }]);
    for (const [index, id] of ['a', 'b', 'c'].entries()) {
      const attributes = { title: `Title ${id}`, plays: 10 - index, likes: index, live: true };
      const relations = { artist: '1', featuring: ['1'] };
      await make(catalog, ['Track', id, { attributes, relations }]);
    }
    const texts = odd.map((name) => [name, `of ${name}`] as const);
    const attributes = { ...Object.fromEntries(texts), tags: ['a', 'b'], more: { deep: [1] } };
    await make(catalog, ['Thing', 't', { attributes }]);
  });

  const only = { attributes: { likes: 1 }, relations: { artist: '1' }, version: 1 };
  const fields = ['likes', 'artist'];

  it.each<[string, () => Promise<EntityResponse | undefined>]>([
    ['an entity', () => ask<EntityResponse>(catalog, ['entities', 'Track', 'b'], { fields })],
    ['entities by id', () => second(['entities', 'Track'], { id: ['a', 'b'] })],
    ['a list', () => second(['entities', 'Track'], {})],
    ['a whole list', () => second(['entities', 'Track'], { whole: 'true' })],
    ['a search', () => second(['search', 'Track', 'byTitle'], { whole: 'true' })],
    [
      'the own ranking',
      async () => (await second(['rankings', 'Track', 'byPlays'], whole))?.entity,
    ],
    [
      'another ranking',
      async () => (await second(['rankings', 'Track', 'byLikes'], whole))?.entity,
    ],
    [
      'related entities of a type',
      async () => (await second(['entities', 'Artist', '1', 'related', 'Track'], whole))?.entity,
    ],
    [
      'all related entities',
      async () => (await second(['entities', 'Artist', '1', 'related'], whole))?.entity,
    ],
  ])('omits unnamed fields of %s', async (_, read) => {
    const { attributes, relations, version } = (await read()) ?? {};
    expect({ attributes, relations, version }).toEqual(only);
  });
  const whole = { whole: 'true' };
  const second = async (segments: string[], parameters: Parameters) => {
    const { items } = await ask<Page<EntityResponse>>(catalog, segments, { fields, ...parameters });
    return items[1];
  };

  it('applies to all pages', async () => {
    const asks = { fields: ['plays'], limit: 1 };
    const items = itemsIn(await walk<EntityResponse>(catalog, ['entities', 'Track'], asks));
    expect(items.map(({ attributes }) => attributes)).toEqual(
      [10, 9, 8].map((plays) => ({ plays })),
    );
  });

  it('accepts any attribute name', async () => {
    for (const name of odd) {
      const { attributes } = await ask<EntityResponse>(catalog, ['entities', 'Thing', 't'], {
        fields: [name],
      });
      expect(attributes).toEqual({ [name]: `of ${name}` });
    }
    const { attributes } = await ask<EntityResponse>(catalog, ['entities', 'Thing', 't'], {
      fields: odd,
    });
    expect(Object.keys(attributes).toSorted()).toEqual(odd.toSorted());
  });

  it('returns sets and undeclared attributes', async () => {
    const asks = { fields: ['tags', 'more', 'none'] };
    const { attributes } = await ask<EntityResponse>(catalog, ['entities', 'Thing', 't'], asks);
    expect(attributes).toEqual({ tags: ['a', 'b'], more: { deep: [1] } });
  });

  it('reads only the own item, unless fields include relations to many', async () => {
    const get = (...names: string[]) =>
      catalog.costOf(() => ask(catalog, ['entities', 'Track', 'a'], { fields: names }));
    expect(await get('title', 'artist')).toEqual({ GetItem: 1 });
    expect(await get('featuring')).toEqual({ Query: 1 });
    const { relations } = await ask<EntityResponse>(catalog, ['entities', 'Track', 'a'], {
      fields: ['featuring'],
    });
    expect(relations).toEqual({ featuring: ['1'] });
  });

  it('returns a weak ETag, which If-Match does not accept', async () => {
    const path = `${pathOf('Track', 'c')}?fields=title`;
    const { headers, body } = await catalog.ask(path);
    const tag = headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"1-/);
    expect(await catalog.ask(path, { headers: { 'if-none-match': tag } })).toMatchObject({
      status: 304,
    });
    const { attributes } = body as EntityResponse;
    const answer = await put(catalog, ['Track', 'c'], { attributes } as object, {
      'if-match': tag,
    });
    expect(problemOf(answer)).toMatchObject({ status: 412, type: 'version-mismatch' });
    const other = await catalog.ask(`${pathOf('Track', 'c')}?fields=plays`);
    expect(other.headers.get('etag')).not.toBe(tag);
  });

  it.each<[string[], Parameters, string]>([
    [['entities', 'Track', 'a'], { fields: ['title', 'none'] }, 'query.fields[1]'],
    [['entities', 'Track'], { fields: ['title', 'none'] }, 'query.fields[1]'],
    [['search', 'Track', 'byTitle'], { fields: ['title'] }, 'query.fields'],
    [['rankings', 'Track', 'byPlays'], { fields: ['title'] }, 'query.fields'],
    [['entities', 'Artist', '1', 'related', 'Track'], { fields: ['title'] }, 'query.fields'],
    [['entities', 'Artist', '1', 'related'], { fields: ['title'] }, 'query.fields'],
  ])('refuses %j %j', async (segments, parameters, at) => {
    const answer = await queryResponse(catalog, segments, parameters);
    expect(problemOf(answer)).toEqual({ status: 400, type: 'invalid-request', paths: [at] });
  });

  it('names undeclared fields in the error', async () => {
    const answer = await queryResponse(catalog, ['entities', 'Track', 'none'], { fields });
    expect(problemOf(answer)).toMatchObject({ status: 404, type: 'entity-not-found' });
  });

  it('applies to CSV', async () => {
    const headers = { accept: 'text/csv' };
    const { body } = await catalog.ask('/v1/entities/Track?fields=title&limit=1', { headers });
    const [head, row] = String(body).split('\r\n');
    expect(head).toBe('id,attributes.title,createdAt,updatedAt,version');
    expect(row).toMatch(/^a,Title a,/);
  });
});
