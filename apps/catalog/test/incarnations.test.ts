import { openBeforeAll } from '@engawa/testing';
import { endDeletions } from './end-deletions.ts';
import { itemsOf, make, pathOf, put } from './entities.ts';
import { featuringOf, ids, makeArtists, medley, startPair } from './two-replicas.ts';
import type { ProxiedRequest } from '@engawa/testing';
import type { TestResponse } from './catalog.ts';
import type { HeldRequest } from './gate.ts';

const artist = { attributes: { name: 'again' } };
const tracks = Array.from({ length: 98 }, (_, index) => `t${100 + index}`);
const song = (title: string) => ({ attributes: { title }, relations: { artist: 'a000' } });

describe('an entity that is created again after its deletion', () => {
  const replicas = openBeforeAll(startPair);
  let held: HeldRequest;
  let Artist: string;
  let Track: string;
  beforeEach(async () => {
    ({ Artist, Track } = await makeArtists([replicas.quick, replicas.slow]));
    held = replicas.gate.hold(looksForRelations);
  });
  afterEach(() => held.release());

  /** Matches the search of the background task for incoming relations. */
  function looksForRelations({ operation, body }: ProxiedRequest): boolean {
    return operation === 'Query' && body.includes('"gsi1"') && body.includes(`#${Artist}#a000`);
  }

  const featuring = (id: string) => featuringOf(replicas.quick, [Track, id]);

  /** Deletes the entity; incoming relations stay until `detachAll`. */
  async function remove(id = 'a000'): Promise<void> {
    const path = `${pathOf(Artist, id)}?detach=true`;
    expect(await replicas.slow.ask(path, { method: 'DELETE' })).toMatchObject({ status: 204 });
    await held.arrived;
  }

  const detachAll = () => endDeletions(replicas.started, Artist);

  async function artistOf(id: string): Promise<unknown> {
    const { body } = await replicas.quick.ask(pathOf(Track, id));
    return (body as { relations: Record<string, unknown> }).relations['artist'];
  }

  const patch = (id: string, relations: object): Promise<TestResponse> =>
    replicas.quick.ask(pathOf(Track, id), { method: 'PATCH', body: { relations } });

  it('keeps relations acknowledged after its creation, also if equal to earlier ones', async () => {
    const { quick } = replicas;
    const body = tracks.map((id) => ({ type: Track, id, ...song(id) }));
    expect(await quick.ask('/v1/entities', { method: 'POST', body })).toMatchObject({
      body: { entities: { created: tracks.length } },
    });
    await remove();
    await make(quick, [Artist, 'a000', artist]);
    for (const id of tracks) {
      expect(await put(quick, [Track, id], song(id))).toMatchObject({ status: 200 });
    }
    await detachAll();
    const kept = await Promise.all(tracks.map(artistOf));
    expect(kept.filter((id) => id === 'a000')).toHaveLength(98);
  });

  it('keeps relations of a staged write, and of a change of some relations', async () => {
    const { quick } = replicas;
    await make(quick, [Track, 'many', medley('many', ids)]);
    await make(quick, [Track, 'part', medley('part', ids.slice(0, 2))]);
    await make(quick, [Track, 'left', medley('left', ids.slice(0, 2))]);
    await remove();
    await make(quick, [Artist, 'a000', artist]);
    expect(await put(quick, [Track, 'many'], medley('other', ids))).toMatchObject({
      status: 200,
    });
    expect(await patch('part', { featuring: { add: ['a000'] } })).toMatchObject({ status: 200 });
    expect(await patch('left', { featuring: { add: ['a003'] } })).toMatchObject({ status: 200 });
    await detachAll();
    expect(await featuring('many')).toEqual(ids);
    expect(await featuring('part')).toEqual(ids.slice(0, 2));
    expect(await featuring('left')).toEqual(['a001', 'a003']);
  });

  it.each([
    ['featuring', { featuring: ['a000', 'a001'] }, { artist: 'a000' }, ['a001']],
    ['artist', { artist: 'a000' }, { featuring: { add: ['a000'] } }, undefined],
  ] as const)(
    'loses only relations acknowledged before its creation: %s',
    async (former, before, change, left) => {
      const { quick } = replicas;
      const all = { 'by patch': 'p', 'by put': 'w', 'in a transaction': 't' };
      for (const id of Object.values(all)) {
        await make(quick, [Track, id, { attributes: { title: id }, relations: before }]);
      }
      await remove();
      await make(quick, [Artist, 'a000', artist]);
      expect(await patch(all['by patch'], change)).toMatchObject({ status: 200 });
      const relations = 'artist' in change ? change : { featuring: ['a000'] };
      const content = { attributes: { title: 'w' }, relations };
      expect(await put(quick, [Track, all['by put']], content)).toMatchObject({ status: 200 });
      const operation = { operation: 'patch', type: Track, id: 't', relations: change };
      const body = { operations: [operation] };
      expect(await quick.ask('/v1/transactions', { method: 'POST', body })).toMatchObject({
        status: 200,
      });
      const leading = async (id: string) => {
        const { body: shown } = await quick.ask(pathOf(Track, id));
        return (shown as { relations: Record<string, unknown> }).relations;
      };
      const other = 'artist' in change ? { artist: 'a000' } : { featuring: ['a000'] };
      const expected = { ...other, ...(left && { [former]: left }) };
      for (const id of Object.values(all)) expect([id, await leading(id)]).toEqual([id, expected]);
      await detachAll();
      for (const id of Object.values(all)) expect([id, await leading(id)]).toEqual([id, expected]);
    },
  );

  it('rejects relations to it while it is deleted, even if one existed before', async () => {
    const { quick } = replicas;
    await make(quick, [Track, 't', song('t')]);
    await remove();
    const refused = { body: { type: '/problems/related-entity-not-found' } };
    expect(await put(quick, [Track, 't'], song('t'))).toMatchObject(refused);
    expect(await put(quick, [Track, 't'], song('other'))).toMatchObject(refused);
    expect(await patch('t', { artist: 'a000' })).toMatchObject(refused);
  });

  it('leaves no items after repeated deletion and creation', async () => {
    const { quick, started } = replicas;
    await make(quick, [Track, 't', song('t')], [Track, 'u', song('u')]);
    await remove();
    for (let times = 0; times < 3; times++) {
      await make(quick, [Artist, 'a000', artist]);
      await make(quick, [Track, 't', song('t')]);
      const path = `${pathOf(Artist, 'a000')}?detach=true`;
      expect(await quick.ask(path, { method: 'DELETE' })).toMatchObject({ status: 204 });
    }
    await detachAll();
    expect([await artistOf('t'), await artistOf('u')]).toEqual([undefined, undefined]);
    expect(await itemsOf(started.table, Artist, 'a000')).toEqual([]);
  });
});
