import { catalogTaskKey, entityKey } from '@engawa/keys';
import { entityItem, parseEntity, relationItem } from '@engawa/model';
import { openBeforeAll } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { artist, declare, itemsOf, make, pathOf, put, quiet, track } from './entities.ts';
import { startTable } from './table.ts';
import type { Entity, RelationRow } from '@engawa/model';
import type { TestResponse } from './catalog.ts';

/** Items that failed writers leave, and requests of other writers. */
describe('an entity whose writer failed', () => {
  const started = openBeforeAll(startTable);
  const catalog = openBeforeAll(() => catalogOn(started, quiet));

  beforeAll(async () => {
    await declare(catalog, { Artist: artist, Track: track });
    for (const id of ['1', '2', '3']) {
      await make(catalog, ['Artist', id, { attributes: { name: id } }]);
    }
  });

  /** Leaves the staged write W, which changes `featuring` from 1 and 2 to 2 and 3. */
  async function putStagedItems(id: string, marks: Partial<Entity>): Promise<void> {
    const from = { type: 'Track', id };
    const own: Entity = {
      ...from,
      ...{ createdAt: 1, updatedAt: 1, version: 4, layout: 1, writeId: 'w' },
      attributes: new Map([['title', 'left']]),
      one: new Map(),
      ...marks,
    };
    const row = (other: string, relations: string[], becomes?: string[]): RelationRow => ({
      ...{ from, to: { type: 'Artist', id: other }, relations, at: 1 },
      ...(becomes && { staged: { write: 'W', relations: becomes } }),
    });
    const featuring = ['featuring'];
    const rows = [row('1', featuring, []), row('2', featuring), row('3', [], featuring)];
    const note = { ...catalogTaskKey('WRITE', 'Track', id, 'W'), at: Date.now() };
    for (const item of [entityItem(own, { shards: 1 }), note, ...rows.map(relationItem)]) {
      await started.table.put(item);
    }
  }

  const ask = (id: string, method: string, body?: object, headers = {}): Promise<TestResponse> =>
    catalog.ask(pathOf('Track', id), { method, headers, ...(body && { body }) });

  async function expectWhole(id: string, expected: object): Promise<void> {
    expect(await ask(id, 'GET')).toMatchObject({ status: 200, body: expected });
  }

  async function expectNoStagedItems(id: string): Promise<void> {
    const text = JSON.stringify(await itemsOf(started.table, 'Track', id));
    expect(text).not.toMatch(/staged|staging|settles|"gone"/);
    const note = catalogTaskKey('WRITE', 'Track', id, 'W');
    expect(await started.table.get(note)).toBeUndefined();
  }

  it('has the new content after the commit, and the old content before', async () => {
    await putStagedItems('a', { settles: 'W' });
    await expectWhole('a', { relations: { featuring: ['2', '3'] } });
    await putStagedItems('b', { staging: 'W' });
    await expectWhole('b', { relations: { featuring: ['1', '2'] } });
  });

  it('is patched from the new content after the commit', async () => {
    await putStagedItems('c', { settles: 'W' });
    const relations = { featuring: { add: ['1'], remove: ['2'] } };
    expect(await ask('c', 'PATCH', { relations })).toMatchObject({ status: 200 });
    await expectWhole('c', { version: 5, relations: { featuring: ['1', '3'] } });
    await expectNoStagedItems('c');
    await putStagedItems('d', { settles: 'W' });
    const same = { attributes: { title: 'left' }, relations: { featuring: ['3', '2'] } };
    expect(await ask('d', 'PUT', same)).toMatchObject({ status: 200, body: { version: 4 } });
    await expectWhole('d', { version: 4, relations: { featuring: ['2', '3'] } });
    await expectNoStagedItems('d');
  });

  it.each([
    ['its score', { plays: 3 }],
    ['a searched attribute', { title: 'new' }],
  ])('keeps the committed relations if %s is changed', async (_, attributes) => {
    await putStagedItems('e', { settles: 'W' });
    expect(await ask('e', 'PATCH', { attributes })).toMatchObject({ status: 200 });
    await expectWhole('e', { attributes, version: 5, relations: { featuring: ['2', '3'] } });
  });

  it('is patched from the old content without a commit', async () => {
    await putStagedItems('f', { staging: 'W' });
    expect(await ask('f', 'PATCH', { attributes: { title: 'new' } })).toMatchObject({
      status: 200,
    });
    await expectWhole('f', { version: 5, relations: { featuring: ['1', '2'] } });
    const item = await started.table.get(entityKey({ type: 'Track', id: 'f' }));
    // No writer continues this write.
    expect(item).not.toHaveProperty('staging');
    await put(catalog, ['Track', 'f'], {
      attributes: { title: 'newer' },
      relations: { featuring: ['3'] },
    });
    await expectWhole('f', { version: 6, relations: { featuring: ['3'] } });
  });

  it('is deleted with all staged rows', async () => {
    for (const marks of [{ settles: 'W' }, { staging: 'W' }]) {
      await putStagedItems('g', marks);
      expect(await ask('g', 'DELETE')).toMatchObject({ status: 204 });
      expect(await itemsOf(started.table, 'Track', 'g')).toMatchObject([{ gone: true }]);
    }
  });

  it.each([
    ['was not committed', { staging: 'W' }],
    ['was deleted', { settles: 'W' }],
  ])('does not exist if it %s', async (_, marks) => {
    const gone = { ...marks, gone: true, version: 0, layout: 0 };
    await putStagedItems('h', gone);
    const body = { attributes: { title: 'h' } };
    expect(await ask('h', 'GET')).toMatchObject({ status: 404 });
    expect(await ask('h', 'DELETE')).toMatchObject({ status: 404 });
    expect(await ask('h', 'PATCH', { attributes: { plays: 1 } })).toMatchObject({ status: 404 });
    expect(await ask('h', 'PATCH', body)).toMatchObject({ status: 404 });
    expect(await ask('h', 'PUT', body, { 'if-match': '*' })).toMatchObject({ status: 404 });
    const relating = { attributes: { title: 'r' }, relations: { covers: ['h'] } };
    expect(await put(catalog, ['Track', 'r'], relating)).toMatchObject({
      status: 409,
      body: { type: '/problems/related-entity-not-found' },
    });
    expect(await itemsOf(started.table, 'Track', 'r')).toEqual([]);
    // The entity is then created as if it had never existed.
    await putStagedItems('h', gone);
    const made = await ask('h', 'PUT', body, { 'if-none-match': '*' });
    expect(made).toMatchObject({ status: 201, body: { version: 1 } });
    if ('settles' in marks) await expectNoStagedItems('h');
    const item = await started.table.get(entityKey({ type: 'Track', id: 'h' }));
    expect(parseEntity(item ?? {})).toMatchObject({ gone: false, version: 1 });
  });

  it('is written with the current layout of its type', async () => {
    await make(catalog, ['Track', 'o', { attributes: { title: 'o' } }]);
    const key = entityKey({ type: 'Track', id: 'o' });
    const old = () => started.table.update(key, { set: { layout: 0 } });
    for (const write of [
      () => ask('o', 'PATCH', { attributes: { plays: 1 } }),
      () => put(catalog, ['Track', 'o'], { attributes: { title: 'o', plays: 1 } }),
    ]) {
      await old();
      expect(await write()).toMatchObject({ status: 200 });
      expect(await started.table.get(key)).toMatchObject({ layout: 1 });
    }
  });
});
