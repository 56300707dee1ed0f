import { catalogTaskKey, entityKey } from '@engawa/keys';
import { entityItem, keyOf, parseEntity, parseRelation, relationItem } from '@engawa/model';
import { endStagedWrite } from '../src/entities/staged/end-staged-write.ts';
import { taskOf } from '../src/tasks/task-runner.ts';
import { startTable } from './table.ts';
import { itemsOf } from './entities.ts';
import type { Document, Entity } from '@engawa/model';
import type { TaskResult } from '../src/tasks/task-runner.ts';
import type { StartedTable } from './table.ts';

const from = { type: 'List', id: 'l' };
const to = (id: string) => ({ type: 'Thing', id });

/** What a writer leaves that ended in the middle, as the table has it. */
describe('a staged write whose writer failed', () => {
  let started: StartedTable;
  beforeEach(async () => (started = await startTable()));
  afterEach(() => started.close());

  async function leave(entity: Partial<Entity>, begun = Date.now()): Promise<Document> {
    const own = {
      ...from,
      attributes: new Map(),
      one: new Map(),
      createdAt: 1,
      updatedAt: 1,
      version: 1,
      layout: 1,
      writeId: 'w',
      ...entity,
    };
    const note = { ...catalogTaskKey('WRITE', from.type, from.id, 'W'), at: begun };
    const staged = (relations: string[]) => ({ write: 'W', relations });
    const rows = [
      { from, to: to('stays'), relations: ['has'], at: 1 },
      { from, to: to('goes'), relations: ['has'], at: 1, staged: staged([]) },
      { from, to: to('changes'), relations: ['has'], at: 1, staged: staged(['had']) },
      { from, to: to('comes'), relations: [], at: 1, staged: staged(['has']) },
      // Another write's, which is not to be touched.
      { from, to: to('other'), relations: [], at: 1, staged: { write: 'V', relations: ['has'] } },
    ].map(relationItem);
    for (const item of [entityItem(own, { shards: 1 }), note, ...rows])
      await started.table.put(item);
    return note;
  }

  function end(note: Document, patienceMs?: number): Promise<TaskResult> {
    const handler = endStagedWrite({
      table: started.table,
      ...(patienceMs !== undefined && { patienceMs }),
    });
    return handler(taskOf(note), new AbortController().signal);
  }

  async function rows(): Promise<Record<string, readonly string[]>> {
    const items = await itemsOf(started.table, from.type, from.id);
    const relations = items.filter((item) => keyOf(item).sk.startsWith('R#')).map(parseRelation);
    return Object.fromEntries(
      relations.map((row) => [row.to.id, row.staged === undefined ? row.relations : ['staged']]),
    );
  }

  async function own(): Promise<Entity | undefined> {
    const item = await started.table.get(entityKey(from), { consistent: true });
    return item && parseEntity(item);
  }

  async function isNoted(note: Document): Promise<boolean> {
    return (await started.table.get(taskOf(note).key)) !== undefined;
  }

  it('is rolled back if it was not committed', async () => {
    const note = await leave({ staging: 'W' });
    expect(await end(note, 0)).toBe('done');
    expect(await rows()).toEqual({
      stays: ['has'],
      goes: ['has'],
      changes: ['has'],
      other: ['staged'],
    });
    expect(await own()).toMatchObject({ staging: undefined, settles: undefined, version: 1 });
    expect((await own())?.writeId).not.toBe('w'); // or its writer, if it lives, could still decide
    expect(await isNoted(note)).toBe(false);
  });

  it('is rolled forward if it was committed', async () => {
    const note = await leave({ settles: 'W' });
    expect(await end(note)).toBe('done');
    expect(await rows()).toEqual({
      stays: ['has'],
      changes: ['had'],
      comes: ['has'],
      other: ['staged'],
    });
    expect(await own()).toMatchObject({ staging: undefined, settles: undefined, version: 1 });
    expect(await isNoted(note)).toBe(false);
  });

  it('leaves no placeholder of a creation or deletion', async () => {
    for (const mark of [{ staging: 'W' }, { settles: 'W' }]) {
      const note = await leave({ ...mark, gone: true });
      expect(await end(note, 0)).toBe('done');
      expect(await own()).toBeUndefined();
      expect(await isNoted(note)).toBe(false);
    }
  });

  it('keeps an earlier tombstone until its deletion is complete', async () => {
    for (const mark of [{ staging: 'W' }, { settles: 'W' }]) {
      const note = await leave({ ...mark, gone: true, incarnation: 'D' });
      expect(await end(note, 0)).toBe('done');
      const left = { gone: true, incarnation: 'D', staging: undefined, settles: undefined };
      expect(await own()).toMatchObject(left);
    }
  });

  it('is kept while its writer may be running', async () => {
    const note = await leave({ staging: 'W' });
    const before = await itemsOf(started.table, from.type, from.id);
    expect(await end(note)).toBe('later');
    expect(await itemsOf(started.table, from.type, from.id)).toEqual(before);
    expect(await end(await leave({ staging: 'W' }, Date.now() - 61_000))).toBe('done');
  });

  it('does not touch later writes', async () => {
    const note = await leave({ writeId: 'x', version: 7 });
    expect(await end(note, 0)).toBe('done');
    expect(await own()).toMatchObject({ writeId: 'x', version: 7 });
    expect(await rows()).toEqual({
      stays: ['has'],
      goes: ['has'],
      changes: ['has'],
      other: ['staged'],
    });
  });
});
