import { until } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { testConcurrentExpiry, totalOf } from './concurrent-expiry.ts';
import { declare, foundIn, itemsOf, make, pathOf, put } from './entities.ts';
import { ask } from './list-queries.ts';
import {
  afterMargin,
  busy,
  dueAt,
  expiring,
  iso,
  isStored,
  sessionOf,
  types,
  untilDeleted,
} from './sessions.ts';
import { startTable } from './table.ts';
import type { Catalog } from './catalog.ts';
import type { StartedTable } from './table.ts';

interface EntityList {
  items: { id: string }[];
}

describe('an entity whose type has `expires`', () => {
  let started: StartedTable;
  let catalogs: readonly [Catalog, Catalog];
  let time: number;

  // Each test has replicas of its own: it moves their clock, and counts all deletions.
  beforeEach(async () => {
    started = await startTable();
    time = dueAt - 1000;
    const start = () => catalogOn(started, busy, { now: () => time });
    const first = await start();
    await declare(first, types);
    catalogs = [first, await start()];
    await make(first, ['User', 'anna', { attributes: { name: 'Anna' } }]);
  });
  afterEach(async () => {
    await Promise.all(catalogs.map((catalog) => catalog.close()));
    await started.close();
  });

  const statusOf = async (id: string, index: 0 | 1 = 0, query = '') =>
    (await catalogs[index].ask(pathOf('Session', id) + query)).status;
  const idsOf = async (...path: string[]) =>
    (await ask<EntityList>(catalogs[0], path)).items.map(({ id }) => id);
  const sum = (name: string) => totalOf(catalogs, name);

  it('is hidden at its expiry time, and deleted with all index rows a minute later', async () => {
    const [catalog] = catalogs;
    await make(
      catalog,
      ['Session', 's', sessionOf()],
      ['Session', 'free', sessionOf({ until: undefined })],
      ['Note', 'n', { relations: { session: 's' } }],
    );
    await until('the entity to be found', async () => (await textsOf()).length === 2);
    expect([await statusOf('s'), await statusOf('s', 1)]).toEqual([200, 200]);
    expect(await expiring(started.table)).toEqual(['s']);
    time = dueAt;
    expect([await statusOf('s'), await statusOf('s', 1, '?fields=title')]).toEqual([404, 404]);
    expect(await statusOf('free')).toBe(200);
    time = dueAt + 59_000;
    // When the second session is deleted, an earlier pass has read all expiry rows.
    for (const id of ['first', 'second']) {
      await make(catalog, ['Session', id, sessionOf({ until: iso(dueAt - 5000) })]);
      await untilDeleted(started.table, [id]);
    }
    expect(await isStored(started.table, 's')).toBe(true);
    time = afterMargin;
    await untilDeleted(started.table, ['s']);
    expect(await itemsOf(started.table, 'Session', 's')).toMatchObject([
      { gone: true },
      { sk: 'FULLTEXT' },
    ]);
    for (const search of ['byUser', 'byTitle', 'bySize', 'byClicks']) {
      expect(await foundIn(started.table, 'Session', search)).toEqual(['free']);
    }
    expect(await expiring(started.table)).toEqual([]);
    expect(await idsOf('entities', 'Session')).toEqual(['free']);
    await until('the index to have the texts', async () => (await textsOf()).join() === 'free');
    await until('the relation to be removed', async () => {
      const { body } = await catalog.ask(pathOf('Note', 'n'));
      return !('session' in (body as { relations: object }).relations);
    });
    expect(await sum('engawa_expired_entities_total')).toBe(3);
  });

  async function textsOf(): Promise<string[]> {
    const { status, body } = await catalogs[0].ask('/v1/search?q=login');
    return status === 200 ? (body as EntityList).items.map(({ id }) => id) : [];
  }

  it('is kept if the expiry time is extended or removed', async () => {
    const [catalog] = catalogs;
    const ids = ['due', 'extended', 'freed', 'sooner'];
    await make(catalog, ...ids.map((id) => ['Session', id, sessionOf()] as const));
    const later = dueAt + 86_400_000;
    await make(catalog, ['Session', 'sooner', sessionOf({ until: iso(later) })]);
    const patch = (id: string, value: unknown) =>
      catalog.ask(pathOf('Session', id), {
        method: 'PATCH',
        body: { attributes: { until: value } },
      });
    await patch('extended', iso(later));
    await patch('freed', null);
    await patch('sooner', iso(dueAt - 500));
    expect((await expiring(started.table)).toSorted()).toEqual(['due', 'extended', 'sooner']);
    time = afterMargin;
    await untilDeleted(started.table, ['due', 'sooner']);
    expect([await statusOf('extended'), await statusOf('freed')]).toEqual([200, 200]);
    time = later + 61_000;
    await untilDeleted(started.table, ['extended']);
    expect(await statusOf('freed')).toBe(200);
  });

  it('is not found by its id from its expiry time on', async () => {
    const [catalog, other] = catalogs;
    const ids = ['blind', 'moved', 'deleted', 'checked', 'put', 'made', 'together', 'bulk'];
    await make(catalog, ...ids.map((id) => ['Session', id, sessionOf()] as const));
    await make(catalog, ['Note', 'n', { relations: { session: 'put' } }]);
    time = dueAt;
    const send = async (method: string, id: string, body?: unknown) =>
      (await other.ask(pathOf('Session', id), { method, ...(body !== undefined && { body }) }))
        .status;
    const transact = async (operation: object) =>
      (await other.ask('/v1/transactions', { method: 'POST', body: { operations: [operation] } }))
        .status;
    // A change of the own item only, with one request, and a change that moves a row.
    expect(await send('PATCH', 'blind', { attributes: { agent: 'x' } })).toBe(404);
    expect(await send('PATCH', 'moved', { attributes: { until: iso(dueAt + 9e6) } })).toBe(404);
    expect(await send('DELETE', 'deleted')).toBe(404);
    const named = { type: 'Session', id: 'checked' };
    expect(await transact({ operation: 'check', ...named })).toBe(404);
    for (const id of ['blind', 'moved', 'deleted', 'checked']) {
      expect(await isStored(started.table, id)).toBe(true);
    }
    const fresh = { attributes: { until: iso(dueAt + 9e6) } };
    expect(await send('PUT', 'put', fresh)).toBe(201);
    const onlyNew = { 'if-none-match': '*' };
    expect((await put(other, ['Session', 'made'], fresh, onlyNew)).status).toBe(201);
    const together = { operation: 'put', type: 'Session', id: 'together', ...fresh };
    expect(await transact(together)).toBe(200);
    const bulk = { type: 'Session', id: 'bulk', ...fresh };
    expect((await other.ask('/v1/entities', { method: 'POST', body: [bulk] })).status).toBe(200);
    const created = ['put', 'made', 'together', 'bulk'];
    for (const id of created) {
      const { body } = await catalog.ask(pathOf('Session', id));
      expect(body).toMatchObject({ version: 1, attributes: fresh.attributes });
      expect(await foundIn(started.table, 'Session', 'byTitle')).not.toContain(id);
    }
    await until('the relation to the former incarnation to be removed', async () => {
      const { body } = await catalog.ask(pathOf('Note', 'n'));
      return !('session' in (body as { relations: object }).relations);
    });
    time = afterMargin;
    await untilDeleted(started.table, ['blind', 'moved', 'deleted', 'checked']);
    expect(await Promise.all(created.map((id) => statusOf(id)))).toEqual([200, 200, 200, 200]);
  });
});

testConcurrentExpiry(150);
