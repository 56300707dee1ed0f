import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, ownName, pathOf, put, quiet } from './entities.ts';
import type { EntityInput } from './entities.ts';

const title = { name: 'title', kind: 'text', required: true };
const other = { title: 'other', size: 'wide', seen: null };

describe('an entity that is older than the declaration of its type', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));

  const read = async (type: string) =>
    (await catalog.ask(pathOf(type, '1'))).body as EntityInput & { version: number };
  const writes = (type: string) => [
    (body: object) => put(catalog, [type, '1'], body),
    (body: object) => {
      const operations = [{ operation: 'put', type, id: '1', ...body }];
      return catalog.ask('/v1/transactions', { method: 'POST', body: { operations } });
    },
    async (body: object) => {
      const path = '/v1/entities?existing=replace';
      const answer = await catalog.ask(path, { method: 'POST', body: { type, id: '1', ...body } });
      const { failed } = answer.body as { failed: number };
      return { ...answer, status: failed === 0 ? 200 : 400 };
    },
  ];

  /** Sends the entity back, then with another title, then without what it may lack or have. */
  async function sendBack(type: string, refused: object): Promise<void> {
    for (const write of writes(type)) {
      const before = await read(type);
      expect(await write(before)).toMatchObject({ status: 200 });
      // The first write brings the stored items up to date with the type, and counts as a version.
      const entity = await read(type);
      expect(entity.attributes).toEqual(before.attributes);
      const attributes = { ...entity.attributes, title: `after ${entity.version}` };
      expect(await write({ ...entity, attributes })).toMatchObject({ status: 200 });
      expect((await read(type)).attributes).toEqual(attributes);
      expect(await write({ attributes: refused })).toMatchObject({ status: 400 });
    }
  }

  it('can be sent back without an attribute that is required by now', async () => {
    const type = ownName('Thing');
    await declare(catalog, { [type]: { attributes: [title] } });
    await make(catalog, [type, '1', { attributes: { title: 'first' } }]);
    const must = { name: 'must', kind: 'text', required: true };
    await declare(catalog, { [type]: { attributes: [title, must] } });
    await sendBack(type, { must: 'but no title' });
    const created = await put(catalog, [type, '2'], { attributes: { title: 'second' } });
    expect(created).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'body.attributes.must' }] },
    });
    await make(catalog, [type, '1', { attributes: { title: 'x', must: 'y' } }]);
    const removed = await put(catalog, [type, '1'], { attributes: { title: 'x' } });
    expect(removed).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'body.attributes.must' }] },
    });
  });

  it('can be sent back with values that do not fit an attribute of an open type', async () => {
    const type = ownName('Open');
    await declare(catalog, { [type]: { attributes: [title], additional: true } });
    await make(catalog, [type, '1', { attributes: other }]);
    const attributes = [title, { name: 'size', kind: 'number' }, { name: 'seen', kind: 'instant' }];
    const searches = [{ name: 'bySize', parts: [{ attribute: 'size' }] }];
    await declare(catalog, { [type]: { attributes, searches, additional: true } });
    await sendBack(type, { ...other, size: 'narrow' });
    const created = await put(catalog, [type, '2'], { attributes: other });
    expect(created).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'body.attributes.size' }, { path: 'body.attributes.seen' }] },
    });
  });
});
