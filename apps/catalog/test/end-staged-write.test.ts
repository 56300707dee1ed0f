import { catalogTaskKey, entityKey } from '@engawa/keys';
import { entityItem, keyOf, parseEntity, parseRelation, relationItem } from '@engawa/model';
import { openBeforeEach } from '@engawa/testing';
import { endStagedWrite } from '../src/entities/staged/end-staged-write.ts';
import { taskOf } from '../src/tasks/task-runner.ts';
import { startTable } from './table.ts';
import { itemsOf } from './entities.ts';
import type { Document, Entity } from '@engawa/model';
import type { TaskResult } from '../src/tasks/task-runner.ts';

const from = { type: 'List', id: 'l' };
const to = (id: string) => ({ type: 'Thing', id });

/** The items that a failed writer leaves. */
describe('a staged write whose writer failed', () => {
  const started = openBeforeEach(startTable);

  async function putStagedItems(entity: Partial<Entity>, begun = Date.now()): Promise<Document> {
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
    const intentRecord = { ...catalogTaskKey('WRITE', from.type, from.id, 'W'), at: begun };
    const staged = (relations: string[]) => ({ write: 'W', relations });
    const rows = [
      { from, to: to('stays'), relations: ['has'], at: 1 },
      { from, to: to('goes'), relations: ['has'], at: 1, staged: staged([]) },
      { from, to: to('changes'), relations: ['has'], at: 1, staged: staged(['had']) },
      { from, to: to('comes'), relations: [], at: 1, staged: staged(['has']) },
      // A row of another write, which must not change.
      { from, to: to('other'), relations: [], at: 1, staged: { write: 'V', relations: ['has'] } },
    ].map(relationItem);
    for (const item of [entityItem(own, { shards: 1 }), intentRecord, ...rows])
      await started.table.put(item);
    return intentRecord;
  }

  function end(intentRecord: Document, timeoutMs?: number): Promise<TaskResult> {
    const handler = endStagedWrite({
      table: started.table,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    return handler(taskOf(intentRecord), new AbortController().signal);
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

  async function hasIntentRecord(intentRecord: Document): Promise<boolean> {
    return (await started.table.get(taskOf(intentRecord).key)) !== undefined;
  }

  it('is rolled back if it was not committed', async () => {
    const intentRecord = await putStagedItems({ staging: 'W' });
    expect(await end(intentRecord, 0)).toBe('done');
    expect(await rows()).toEqual({
      stays: ['has'],
      goes: ['has'],
      changes: ['has'],
      other: ['staged'],
    });
    expect(await own()).toMatchObject({ staging: undefined, settles: undefined, version: 1 });
    expect((await own())?.writeId).not.toBe('w'); // so that its writer, if still running, cannot commit
    expect(await hasIntentRecord(intentRecord)).toBe(false);
  });

  it('is rolled forward if it was committed', async () => {
    const intentRecord = await putStagedItems({ settles: 'W' });
    expect(await end(intentRecord)).toBe('done');
    expect(await rows()).toEqual({
      stays: ['has'],
      changes: ['had'],
      comes: ['has'],
      other: ['staged'],
    });
    expect(await own()).toMatchObject({ staging: undefined, settles: undefined, version: 1 });
    expect(await hasIntentRecord(intentRecord)).toBe(false);
  });

  it('leaves no placeholder of a creation or deletion', async () => {
    for (const mark of [{ staging: 'W' }, { settles: 'W' }]) {
      const intentRecord = await putStagedItems({ ...mark, gone: true });
      expect(await end(intentRecord, 0)).toBe('done');
      expect(await own()).toBeUndefined();
      expect(await hasIntentRecord(intentRecord)).toBe(false);
    }
  });

  it('keeps an earlier tombstone until its deletion is complete', async () => {
    for (const mark of [{ staging: 'W' }, { settles: 'W' }]) {
      const intentRecord = await putStagedItems({ ...mark, gone: true, incarnation: 'D' });
      expect(await end(intentRecord, 0)).toBe('done');
      const left = { gone: true, incarnation: 'D', staging: undefined, settles: undefined };
      expect(await own()).toMatchObject(left);
    }
  });

  it('is kept while its writer may be running', async () => {
    const intentRecord = await putStagedItems({ staging: 'W' });
    const before = await itemsOf(started.table, from.type, from.id);
    expect(await end(intentRecord)).toBe('later');
    expect(await itemsOf(started.table, from.type, from.id)).toEqual(before);
    expect(await end(await putStagedItems({ staging: 'W' }, Date.now() - 61_000))).toBe('done');
  });

  it('does not touch later writes', async () => {
    const intentRecord = await putStagedItems({ writeId: 'x', version: 7 });
    expect(await end(intentRecord, 0)).toBe('done');
    expect(await own()).toMatchObject({ writeId: 'x', version: 7 });
    expect(await rows()).toEqual({
      stays: ['has'],
      goes: ['has'],
      changes: ['has'],
      other: ['staged'],
    });
  });
});
