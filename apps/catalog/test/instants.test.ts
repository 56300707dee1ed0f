import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, ownName, pathOf, put, quiet } from './entities.ts';
import { ask, idsIn, problemOf, queryResponse, walk } from './list-queries.ts';
import { putType, untilBuilt } from './types.ts';

/** Instants around the borders where a number could be taken for seconds or microseconds. */
const instants = [
  '0000-01-01T00:00:00.000Z',
  '1900-05-17T12:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00.000Z',
  '1971-03-05T00:00:00.000Z',
  '1973-03-03T09:46:39.999Z',
  '1973-03-03T09:46:40.000Z',
  '2026-11-28T08:30:00.001Z',
  '5138-11-16T09:46:40.001Z',
  '9999-12-31T23:59:59.999Z',
];

const typeOf = (kind: string, convert = false) => ({
  attributes: [
    { name: 'born', kind, ...(convert && { convert }) },
    { name: 'name', kind: 'text' },
  ],
});

describe('an instant of any year', () => {
  const catalog = openBeforeAll(() =>
    startCatalog({ ...quiet, TASK_REFRESH_MS: '200', TYPE_SETTLE_MS: '100' }),
  );

  const bornOf = async (type: string, id: string): Promise<unknown> =>
    (await ask<{ attributes: Record<string, unknown> }>(catalog, ['entities', type, id]))
      .attributes['born'];

  it('is written as epoch milliseconds, by every request that writes', async () => {
    const type = ownName('Person');
    await declare(catalog, { [type]: typeOf('instant') });
    for (const [index, born] of instants.entries()) {
      const id = String(index);
      const attributes = { born: Date.parse(born) };
      await make(catalog, [type, id, { attributes }]);
      expect(await bornOf(type, id)).toBe(born);
      const body = { attributes: { born: null } };
      await catalog.ask(pathOf(type, id), { method: 'PATCH', body });
      await catalog.ask(pathOf(type, id), { method: 'PATCH', body: { attributes } });
      expect(await bornOf(type, id)).toBe(born);
      const operations = [{ operation: 'put', type, id, attributes }];
      await catalog.ask(pathOf(type, id), { method: 'DELETE' });
      await catalog.ask('/v1/transactions', { method: 'POST', body: { operations } });
      expect(await bornOf(type, id)).toBe(born);
      const bulk = [{ type, id: `bulk ${id}`, attributes }];
      await catalog.ask('/v1/entities', { method: 'POST', body: bulk });
      expect(await bornOf(type, `bulk ${id}`)).toBe(born);
    }
  });

  it('is converted to a number or text, and back', async () => {
    for (const other of ['number', 'text']) {
      const type = ownName('Person');
      await declare(catalog, { [type]: typeOf('instant') });
      for (const [index, born] of instants.entries()) {
        await make(catalog, [type, String(index), { attributes: { born } }]);
      }
      for (const kind of [other, 'instant']) {
        expect(await putType(catalog, type, typeOf(kind, true))).toMatchObject({ status: 200 });
        await untilBuilt(catalog, type);
      }
      for (const [index, born] of instants.entries()) {
        expect(await bornOf(type, String(index))).toBe(born);
      }
    }
  });

  it('is found by epoch milliseconds, in searches and by conditions', async () => {
    const type = ownName('Person');
    const searches = [{ name: 'byBirth', parts: [{ attribute: 'born' }] }];
    await declare(catalog, { [type]: { ...typeOf('instant'), searches } });
    for (const born of instants) await make(catalog, [type, born, { attributes: { born } }]);
    for (const [index, born] of instants.entries()) {
      const time = Date.parse(born);
      const found = await walk<{ id: string }>(catalog, ['search', type, 'byBirth'], { eq: time });
      expect(idsIn(found)).toEqual([born]);
      const range = await walk<{ id: string }>(catalog, ['search', type, 'byBirth'], {
        from: time,
      });
      expect(idsIn(range)).toEqual(instants.slice(index));
      const body = { attributes: { name: 'x' }, conditions: { born: { equals: time } } };
      const changed = await catalog.ask(pathOf(type, born), { method: 'PATCH', body });
      expect(changed.status).toBe(200);
    }
  });

  it('is refused beyond the years 0000 to 9999', async () => {
    const type = ownName('Person');
    const searches = [{ name: 'byBirth', parts: [{ attribute: 'born' }] }];
    await declare(catalog, { [type]: { ...typeOf('instant'), searches } });
    for (const born of [-62_167_219_200_001, 253_402_300_800_000, 1e300]) {
      expect(problemOf(await put(catalog, [type, '1'], { attributes: { born } }))).toMatchObject({
        status: 400,
        paths: ['body.attributes.born'],
      });
      const found = await queryResponse(catalog, ['search', type, 'byBirth'], { eq: born });
      expect(problemOf(found)).toMatchObject({ status: 400, paths: ['query.eq[0]'] });
    }
  });
});
