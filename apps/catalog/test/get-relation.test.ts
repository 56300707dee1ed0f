import { entityItem, relationItem } from '@engawa/model';
import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, pathOf, quiet } from './entities.ts';
import { problemOf, queryResponse } from './list-queries.ts';

const player = {
  attributes: [{ name: 'name', kind: 'text' }],
  relations: [
    { name: '友達', to: 'Player', many: true, attributes: [{ name: 'since', kind: 'instant' }] },
    { name: 'blocked', to: 'Player', many: true },
    { name: 'club', to: 'Club' },
  ],
};

describe('the relation between two entities', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));
  beforeAll(async () => {
    await declare(catalog, { Club: {}, Player: player });
    const ids = Array.from({ length: 150 }, (_, index) => `p${index}`);
    const players = ids.map((id) => ({ type: 'Player', id }));
    await catalog.ask('/v1/entities', { method: 'POST', body: players });
    await make(catalog, ['Club', 'chess', {}]);
    const friend = { id: 'p1', attributes: { since: '2026-11-01T00:00:00Z' } };
    const relations = { 友達: [friend, ...ids.slice(2)], blocked: ['p1'], club: 'chess' };
    await make(catalog, ['Player', 'p0', { relations }]);
  });

  const get = (from: string, name: string, to: string) =>
    queryResponse(catalog, ['entities', 'Player', from, 'relations', name, to]);
  const related = async (from: string, name: string, to: string) =>
    (await get(from, name, to)).status === 200;

  it('has its attributes, and is one request, however many relations there are', async () => {
    const cost = await catalog.costOf(async () => {
      const { status, body } = await get('p0', '友達', 'p1');
      const attributes = { since: '2026-11-01T00:00:00.000Z' };
      expect([status, body]).toEqual([200, { type: 'Player', id: 'p1', attributes }]);
    });
    expect(cost).toEqual({ GetItem: 1 });
    expect((await get('p0', '友達', 'p149')).body).toMatchObject({ attributes: {} });
    expect((await get('p0', 'club', 'chess')).body).toMatchObject({ type: 'Club', id: 'chess' });
  });

  it('is that of the name and of the direction', async () => {
    expect(await related('p0', 'blocked', 'p1')).toBe(true);
    const refused = { status: 404, type: 'relation-not-found' };
    expect(problemOf(await get('p0', 'blocked', 'p2'))).toMatchObject(refused);
    expect(problemOf(await get('p1', 'blocked', 'p0'))).toMatchObject(refused);
    expect(problemOf(await get('nobody', 'blocked', 'p0'))).toMatchObject(refused);
    expect(problemOf(await get('p0', 'blocked', 'nobody'))).toMatchObject(refused);
  });

  it('is refused where the type has no such relation', async () => {
    expect(problemOf(await get('p0', 'enemies', 'p1'))).toEqual({
      ...{ status: 400, type: 'invalid-request', paths: ['path.name'] },
    });
  });

  it('follows each change at once', async () => {
    const change = (body: object) =>
      catalog.ask(`${pathOf('Player', 'p2')}/relations/blocked`, { method: 'POST', body });
    await change({ add: ['p3'] });
    expect(await related('p2', 'blocked', 'p3')).toBe(true);
    await change({ remove: ['p3'] });
    expect(await related('p2', 'blocked', 'p3')).toBe(false);
  });

  it('has the name that the type declares now, during the migration', async () => {
    const old = { relations: [{ name: 'likes', to: 'Fan', many: true }] };
    await declare(catalog, { Fan: old });
    await make(catalog, ['Fan', 'a', {}], ['Fan', 'b', { relations: { likes: ['a'] } }]);
    await declare(catalog, {
      Fan: { relations: [{ name: 'admires', to: 'Fan', many: true, renamedFrom: 'likes' }] },
    });
    const path = ['entities', 'Fan', 'b', 'relations', 'admires', 'a'];
    expect((await queryResponse(catalog, path)).status).toBe(200);
  });

  it('is staged or not as the entity says', async () => {
    const own = (id: string, settles?: string) => ({
      ...{ type: 'Player', id, attributes: new Map(), one: new Map() },
      ...{ createdAt: 1, updatedAt: 1, version: 1, layout: 1, writeId: 'w' },
      ...(settles !== undefined && { settles }),
    });
    const row = (from: string, to: string, before: string[], later: string[]) => ({
      ...{ from: { type: 'Player', id: from }, to: { type: 'Player', id: to } },
      ...{ relations: before, at: 1, staged: { write: 'W', relations: later } },
    });
    for (const entity of [own('open'), own('ended', 'W')]) {
      await catalog.table.put(entityItem(entity, { shards: 1 }));
      for (const staged of [
        row(entity.id, 'p1', ['blocked'], []),
        row(entity.id, 'p2', [], ['blocked']),
      ]) {
        await catalog.table.put(relationItem(staged));
      }
    }
    expect(await related('open', 'blocked', 'p1')).toBe(true);
    expect(await related('open', 'blocked', 'p2')).toBe(false);
    expect(await related('ended', 'blocked', 'p1')).toBe(false);
    expect(await related('ended', 'blocked', 'p2')).toBe(true);
    const cost = await catalog.costOf(() => related('ended', 'blocked', 'p2'));
    expect(cost).toEqual({ GetItem: 3 });
  });
});
