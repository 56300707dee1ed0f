import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declareMusic, make, pathOf, put, quiet } from './entities.ts';

type Row = Record<string, unknown> & { version: number; attributes: Record<string, unknown> };

const past = '2001-02-03T04:05:06.000Z';

describe('properties that the service sets, in the body of a write', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));
  let Artist: string;
  let Track: string;
  beforeEach(async () => {
    ({ Artist, Track } = await declareMusic(catalog));
    await make(
      catalog,
      [Artist, '1', { attributes: { name: 'David Bowie' } }],
      [Track, '4', { attributes: { title: 'Heroes' }, relations: { featuring: ['1'] } }],
    );
    await put(catalog, [Track, '4'], { attributes: { title: 'Heroes', likes: 1 } });
  });

  const read = async () => (await catalog.ask(pathOf(Track, '4'))).body as Row;
  const transact = (body: object) =>
    catalog.ask('/v1/transactions', {
      method: 'POST',
      body: { operations: [{ operation: 'put', ...body }] },
    });
  const bulk = async (body: object) => {
    const path = '/v1/entities?existing=replace';
    return (await catalog.ask(path, { method: 'POST', body: [body] })).body;
  };

  it.each<[string, (row: Row) => object, string, number]>([
    ['version', ({ version }) => ({ version: version + 1 }), 'version', 412],
    ['an earlier version', () => ({ version: 1, attributes: { title: 'x' } }), 'version', 412],
    ['a time of creation', () => ({ createdAt: past }), 'createdAt', 400],
    ['a time of change', () => ({ updatedAt: past }), 'updatedAt', 400],
    [
      'an automatic attribute',
      ({ attributes }) => ({ attributes: { ...attributes, madeAt: past } }),
      'attributes.madeAt',
      400,
    ],
    [
      'an automatic attribute of a read before the last change',
      ({ attributes }) => ({
        version: undefined,
        updatedAt: undefined,
        attributes: { ...attributes, likes: 2, changedAt: past },
      }),
      'attributes.changedAt',
      412,
    ],
    ['values', () => ({ unconverted: { likes: 'many' } }), 'unconverted.likes', 400],
    ['reasons', () => ({ unindexed: { title: 'is long' } }), 'unindexed.title', 400],
    ['no object', () => ({ unconverted: 'x' }), 'unconverted', 400],
    ['related entities', () => ({ relationParts: { covers: ['9'] } }), 'relationParts.covers', 400],
  ])('are refused if they differ: %s', async (_, change, field, status) => {
    const row = await read();
    const changed = { ...row, ...change(row) };
    const refused = (path: string) => ({
      status,
      body: { errors: [{ path: `body.${path}${field}` }] },
    });
    expect(await put(catalog, [Track, '4'], changed)).toMatchObject(refused(''));
    expect(await transact(changed)).toMatchObject(refused('operations[0].'));
    // An entry without the time of creation would be from elsewhere.
    if (field !== 'createdAt') {
      const message = expect.stringContaining(field) as string;
      expect(await bulk(changed)).toMatchObject({ failed: 1, errors: [{ line: 1, message }] });
    }
    expect(await read()).toEqual(row);
  });

  it('are accepted in other spellings, and as a part of the stored relations', async () => {
    const row = await read();
    const { createdAt, updatedAt } = row as unknown as Record<string, string>;
    const spelt = {
      ...row,
      createdAt: createdAt?.replace('Z', '+00:00'),
      updatedAt: Date.parse(updatedAt ?? ''),
      relationParts: { featuring: ['1'] },
      cursor: 'x',
    };
    expect(await put(catalog, [Track, '4'], spelt)).toMatchObject({ status: 200 });
    expect(await transact(spelt)).toMatchObject({ status: 200 });
    expect(await bulk(spelt)).toMatchObject({ entities: { unchanged: 1 }, failed: 0 });
    expect(await read()).toEqual(row);
  });

  it('do not refuse a request that is repeated after it was applied', async () => {
    const row = await read();
    const changed = { ...row, attributes: { ...row.attributes, likes: 2 } };
    for (let attempt = 1; attempt <= 2; attempt++) {
      const answer = await put(catalog, [Track, '4'], changed);
      expect(answer).toMatchObject({ status: 200, body: { version: row.version + 1 } });
    }
    const unnumbered = { ...changed, version: undefined };
    expect(await put(catalog, [Track, '4'], unnumbered)).toMatchObject({ status: 200 });
    expect(await transact(changed)).toMatchObject({ status: 200 });
    expect(await bulk(changed)).toMatchObject({ entities: { unchanged: 1 }, failed: 0 });
    await catalog.ask(pathOf(Track, '4'), { method: 'PATCH', body: { attributes: { likes: 3 } } });
    expect(await put(catalog, [Track, '4'], changed)).toMatchObject({ status: 412 });
  });

  it('are ignored where the entity does not exist, and in bulk of another entity', async () => {
    const row = await read();
    const path = pathOf(Track, '4');
    for (const write of [(body: Row) => put(catalog, [Track, '4'], body), transact, bulk]) {
      await catalog.ask(path, { method: 'DELETE' });
      await write(row);
      expect(await read()).toMatchObject({ version: 1, attributes: { likes: 1 } });
    }
    const elsewhere = { ...row, createdAt: past, attributes: { ...row.attributes, likes: 9 } };
    expect(await bulk(elsewhere)).toMatchObject({ entities: { replaced: 1 }, failed: 0 });
    expect(await read()).toMatchObject({ version: 2, attributes: { likes: 9 } });
  });
});
