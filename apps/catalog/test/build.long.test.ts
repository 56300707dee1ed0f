import { catalogTaskKey, entityKey, entityPartition } from '@engawa/keys';
import { itemSize, keyOf } from '@engawa/model';
import { until } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { declare, foundIn, make, pathOf, quiet } from './entities.ts';
import { startTable } from './table.ts';
import { fill, getType, putType, tasksOf, untilBuilt } from './types.ts';
import type { Catalog } from './catalog.ts';
import type { StartedTable } from './table.ts';

const thing = {
  attributes: [
    { name: 'name', kind: 'text', required: true },
    { name: 'number', kind: 'number' },
  ],
  rankings: [{ name: 'byNumber', attribute: 'number', direction: 'ascending' }],
};
const byName = { name: 'byName', parts: [{ attribute: 'name', as: 'collated' }] };
const backwards = { name: 'backwards', attribute: 'number', direction: 'descending' };
const searchable = {
  ...thing,
  searches: [byName],
  rankings: [...thing.rankings, backwards],
  fullText: ['name'],
};

/** Longer than the requests between two steps. */
const settling = { ...quiet, TYPE_SETTLE_MS: '3000' };
const settled = { ...quiet, TYPE_SETTLE_MS: '0' };

describe('a change of the searches of a type', () => {
  let started: StartedTable;
  let running: Catalog[] = [];
  beforeEach(async () => (started = await startTable()));
  afterEach(async () => {
    for (const catalog of running.splice(0)) await catalog.close();
    await started.close();
  });

  async function start(environment: Record<string, string>): Promise<Catalog> {
    const catalog = await catalogOn(started, environment);
    running.push(catalog);
    return catalog;
  }

  async function stop(catalog: Catalog): Promise<void> {
    running = running.filter((other) => other !== catalog);
    await catalog.close();
  }

  function doneOf(catalog: Catalog): Promise<number> {
    return getType(catalog, 'Thing').then(({ build }) => build?.done ?? -1);
  }

  it('is built from existing entities; queries are refused until then, and the type shows the progress', async () => {
    const catalog = await start(settling);
    await declare(catalog, { Thing: thing });
    const ids = await fill(catalog, 'Thing', 1000);
    const changed = await putType(catalog, 'Thing', searchable);
    expect(changed).toMatchObject({
      body: {
        searches: [{ name: 'byName', state: 'building' }],
        rankings: [
          { name: 'byNumber', state: 'ready' },
          { name: 'backwards', state: 'building' },
        ],
      },
    });
    for (const path of ['/v1/search/Thing/byName', '/v1/rankings/Thing/backwards']) {
      const refused = await catalog.ask(path);
      expect(refused).toMatchObject({
        status: 409,
        body: { title: expect.stringMatching(/built/) as string },
      });
    }
    expect(await catalog.ask('/v1/rankings/Thing/byNumber?limit=1')).toMatchObject({ status: 200 });
    await until('some entities to be built, and not all', async () => {
      const done = await doneOf(catalog);
      return done > 0 && done < ids.length;
    });
    await untilBuilt(catalog, 'Thing');
    expect(await catalog.ask('/v1/search/Thing/byName?limit=1000')).toMatchObject({ status: 200 });
    expect(await foundIn(started.table, 'Thing', 'byName')).toEqual(ids);
    expect(await foundIn(started.table, 'Thing', 'backwards')).toEqual(ids.toReversed());
    expect(await foundIn(started.table, 'Thing', 'byNumber')).toEqual(ids);
    expect((await getType(catalog, 'Thing')).version).toBe(2);
  });

  it('deletes the rows of removed searches, and moves the keys of the own ranking', async () => {
    const catalog = await start(settled);
    await declare(catalog, { Thing: searchable });
    const ids = await fill(catalog, 'Thing', 250);
    await putType(catalog, 'Thing', { ...thing, rankings: [backwards] });
    await untilBuilt(catalog, 'Thing');
    expect(await foundIn(started.table, 'Thing', 'byName')).toEqual([]);
    expect(await foundIn(started.table, 'Thing', 'byNumber')).toEqual([]);
    expect(await foundIn(started.table, 'Thing', 'backwards')).toEqual(ids.toReversed());
    for (const id of [ids[0], ids[249]]) {
      const pk = entityPartition({ type: 'Thing', id: id ?? '' });
      const keys = (await started.table.query({ pk })).items.map((item) => keyOf(item).sk);
      expect(keys.filter((sk) => sk.startsWith('F#'))).toEqual([]);
    }
  });

  it('is continued after a restart', async () => {
    const first = await start(settled);
    await declare(first, { Thing: thing });
    const ids = await fill(first, 'Thing', 600);
    await putType(first, 'Thing', searchable);
    await until('some entities to be built', async () => (await doneOf(first)) > 0);
    await stop(first);
    const [build] = await tasksOf(started.table);
    const { done } = build?.['progress'] as { done: number };
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(ids.length);
    // The stopped replica released its claim, so the next one need not wait.
    expect(build).not.toHaveProperty('claim');

    // A foreign claim delays the build, so that all requests of the second replica are counted.
    const key = catalogTaskKey('BUILD', 'Thing', '2');
    const claim = { by: 'somebody', until: Date.now() + 2000 };
    await started.table.update(key, { set: { claim } });
    const second = await start(settled);
    // Read from the table: a request to the service would cost a Query each time.
    const cost = await second.costOf(async () => {
      await until('the build to end', async () => (await tasksOf(started.table)).length === 0);
    });
    const left = ids.length - done;
    // One Query per remaining entity, and one per page of entities and types.
    expect(cost['Query']).toBeGreaterThanOrEqual(left);
    expect(cost['Query']).toBeLessThan(left + 20);
    expect(await foundIn(started.table, 'Thing', 'byName')).toEqual(ids);
  });

  it('covers writes with the previous declaration', async () => {
    const catalog = await start(settling);
    await declare(catalog, { Thing: thing });
    const stale = await start(settling);
    await make(stale, ['Thing', 'old', { attributes: { name: 'before', number: 1 } }]);
    await putType(catalog, 'Thing', searchable);
    const late = { attributes: { name: 'late', number: 2 } };
    await make(stale, ['Thing', 'late', late]);
    await make(catalog, ['Thing', 'new', { attributes: { name: 'more', number: 3 } }]);
    expect(await foundIn(started.table, 'Thing', 'byName')).toEqual(['new']);
    await untilBuilt(catalog, 'Thing');
    expect(await foundIn(started.table, 'Thing', 'byName')).toEqual(['old', 'late', 'new']);
  });

  it('is restarted after another change of the type', async () => {
    const catalog = await start(settled);
    await declare(catalog, { Thing: thing });
    const ids = await fill(catalog, 'Thing', 600);
    await putType(catalog, 'Thing', searchable);
    await until('some entities to be built', async () => (await doneOf(catalog)) > 0);
    const other = { name: 'other', parts: [{ attribute: 'number' }] };
    const cost = await catalog.costOf(async () => {
      await putType(catalog, 'Thing', { ...thing, searches: [other] });
      await untilBuilt(catalog, 'Thing');
    });
    // Each entity is rebuilt once, except those of the interrupted page: the first build has ended.
    expect(cost['Query']).toBeLessThan(ids.length + 250);
    expect(await foundIn(started.table, 'Thing', 'other')).toEqual(ids);
    expect(await foundIn(started.table, 'Thing', 'byName')).toEqual([]);
    expect(await foundIn(started.table, 'Thing', 'backwards')).toEqual([]);
  });

  it('leaves out unsearchable entities, and completes', async () => {
    const catalog = await start(settled);
    await declare(catalog, { Thing: thing });
    await make(
      catalog,
      ['Thing', 'long', { attributes: { name: 'x'.repeat(5000), number: 1 } }],
      ['Thing', 'short', { attributes: { name: 'x', number: 2 } }],
    );
    const exact = { name: 'exact', parts: [{ attribute: 'name' }] };
    await putType(catalog, 'Thing', { ...searchable, searches: [exact] });
    await untilBuilt(catalog, 'Thing');
    expect(await foundIn(started.table, 'Thing', 'exact')).toEqual(['short']);
    expect(await foundIn(started.table, 'Thing', 'backwards')).toEqual(['short', 'long']);
    expect(await catalog.ask(pathOf('Thing', 'long'))).toMatchObject({ status: 200 });
  });

  it('completes although the rows of some entities do not fit into a write', async () => {
    const catalog = await start(settled);
    const { attributes } = thing;
    await declare(catalog, { Thing: { attributes } });
    await make(catalog, ['Thing', 'full', { attributes: { name: '', number: 1 } }]);
    await make(catalog, ['Thing', 'small', { attributes: { name: 'x', number: 2 } }]);
    const key = entityKey({ type: 'Thing', id: 'full' });
    const item = await started.table.get(key);
    const name = 'x'.repeat(400 * 1024 - itemSize(item ?? {}));
    const setInside = [{ path: ['data', 'attributes', 'name'], value: name }];
    await started.table.update(key, { setInside });
    await putType(catalog, 'Thing', { attributes, rankings: [backwards] });
    await untilBuilt(catalog, 'Thing');
    expect(await foundIn(started.table, 'Thing', 'backwards')).toEqual(['small']);
    expect(await catalog.ask(pathOf('Thing', 'full'))).toMatchObject({ status: 200 });
  });

  it('includes entities that were written while the type was deleted', async () => {
    const catalog = await start(settled);
    await declare(catalog, { Thing: searchable });
    const stale = await start(settled);
    await make(stale, ['Thing', 'first', { attributes: { name: 'a' } }]);
    await catalog.ask(pathOf('Thing', 'first'), { method: 'DELETE' });
    expect(await catalog.ask('/v1/types/Thing', { method: 'DELETE' })).toMatchObject({
      status: 204,
    });
    await make(stale, ['Thing', 'orphan', { attributes: { name: 'b' } }]);
    const other = { name: 'other', parts: [{ attribute: 'name' }] };
    await putType(catalog, 'Thing', { ...thing, searches: [other] });
    await untilBuilt(catalog, 'Thing');
    expect(await foundIn(started.table, 'Thing', 'other')).toEqual(['orphan']);
    expect(await foundIn(started.table, 'Thing', 'byName')).toEqual([]);
  });
});
