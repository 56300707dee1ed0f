import { catalogTaskKey, entityKey } from '@engawa/keys';
import { relationItem } from '@engawa/model';
import { fixedShards } from '@engawa/table';
import pino from 'pino';
import { openBeforeAll, openBeforeEach } from '@engawa/testing';
import { detachRelated } from '../src/entities/delete/detach-related.ts';
import { EntityStore } from '../src/entities/write/entity-store.ts';
import { PolledTypes } from '../src/types/known/polled-types.ts';
import { taskOf } from '../src/tasks/task-runner.ts';
import { catalogOn } from './catalog.ts';
import { declareMusic, make, pathOf, quiet } from './entities.ts';
import { startTable } from './table.ts';
import type { TaskResult } from '../src/tasks/task-runner.ts';

const long = 'x'.repeat(120);

describe('relations to a deleted entity', () => {
  const started = openBeforeAll(startTable);
  const catalog = openBeforeAll(() => catalogOn(started, quiet));
  let Artist: string;
  let Track: string;
  beforeEach(async () => {
    ({ Artist, Track } = await declareMusic(catalog));
    await make(catalog, [Artist, '1', { attributes: { name: 'one' } }]);
  });
  const types = openBeforeEach(
    () => new PolledTypes({ table: started.table, log: pino({ enabled: false }) }),
  );
  beforeEach(() => types.start());

  /** Runs the background task for an artist that was deleted at `at`. */
  async function detach(id: string, at: number): Promise<TaskResult> {
    const { table } = started;
    const entities = new EntityStore({
      table,
      shards: fixedShards(1),
      types,
      log: pino({ enabled: false }),
    });
    const intentRecord = { ...catalogTaskKey('DELETION', Artist, id, 'n'), at };
    await table.put(intentRecord);
    return detachRelated({ table, entities })(taskOf(intentRecord), new AbortController().signal);
  }

  /** Relation rows of entities that do not exist. */
  async function putRows(count: number, staged: boolean): Promise<void> {
    const rows = Array.from({ length: count }, (_, index) => ({
      from: { type: 'Before', id: `${long}${index}` },
      to: { type: Artist, id: '1' },
      ...(staged
        ? { relations: [], staged: { write: 'W', relations: ['x'] } }
        : { relations: ['x'.repeat(900)] }),
      at: 1,
    }));
    for (let start = 0; start < rows.length; start += 50) {
      const part = rows.slice(start, start + 50);
      await Promise.all(part.map((row) => started.table.put(relationItem(row))));
    }
  }

  async function relationsOf(id: string): Promise<object> {
    const { body } = await catalog.ask(pathOf(Track, id));
    return (body as { relations: object }).relations;
  }

  /** Deletes only the item of the entity. */
  const deleteItem = () => started.table.delete(entityKey({ type: Artist, id: '1' }));

  const remove = () => catalog.ask(pathOf(Artist, '1'), { method: 'DELETE' });

  it('are searched again after the maximum index lag', async () => {
    const now = Date.now();
    for (const ago of [0, 110_000]) {
      const { retryMs } = (await detach('9', now - ago)) as { retryMs: number };
      expect(retryMs).toBeLessThanOrEqual(120_000 - ago);
    }
    expect(await detach('9', now - 120_000)).toBe('done');
  });

  it('are removed by type: relations to another entity with the same id stay', async () => {
    await make(catalog, [Track, '1', { attributes: { title: 'one' } }]);
    const relations = { artist: '1', featuring: ['1'], covers: ['1'] };
    await make(catalog, [Track, '2', { attributes: { title: 'two' }, relations }]);
    await deleteItem();
    await detach('1', Date.now());
    expect(await relationsOf('2')).toEqual({ covers: ['1'] });
    expect(await catalog.ask(pathOf(Track, '2'))).toMatchObject({
      body: { version: 2, attributes: { title: 'two' } },
    });
  });

  it('are kept if they lead to a later incarnation of the id', async () => {
    await make(catalog, [Track, '2', { attributes: { title: 'two' }, relations: { artist: '1' } }]);
    await detach('1', Date.now());
    expect(await relationsOf('2')).toEqual({ artist: '1' });
  });

  it('are found beyond the first page of the index', async () => {
    await putRows(900, false);
    await make(catalog, [Track, '2', { attributes: { title: 'two' }, relations: { artist: '1' } }]);
    await deleteItem();
    await detach('1', Date.now());
    expect(await relationsOf('2')).toEqual({});
  });

  it('refuse a deletion, also after pages of staged rows only', async () => {
    await putRows(30, true);
    await make(catalog, [Track, '2', { attributes: { title: 'two' }, relations: { artist: '1' } }]);
    expect(await remove()).toMatchObject({
      status: 409,
      body: { errors: [{ path: `${Track}/2`, message: 'relates to it as artist' }] },
    });
  });

  it('refuse the deletion of a later incarnation of the id', async () => {
    const relations = { artist: '1' };
    await make(catalog, [Track, '1', { attributes: { title: 'one' }, relations }]);
    expect(await remove()).toMatchObject({ status: 409 });
  });
});
