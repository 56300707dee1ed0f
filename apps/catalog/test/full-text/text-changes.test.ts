import { textRowKey } from '@engawa/keys';
import { textRowItem } from '@engawa/model';
import fc from 'fast-check';
import pino from 'pino';
import { openBeforeAll } from '@engawa/testing';
import { TextChanges } from '../../src/full-text/text-changes.ts';
import { plainQuery } from './plain-query.ts';
import { WordsInMemory } from './words-in-memory.ts';
import { startTable } from '../table.ts';
import type { TextRow } from '@engawa/model';

const { signal } = new AbortController();
const log = pino({ enabled: false });

describe('the changes of texts', () => {
  const started = openBeforeAll(startTable);
  let applied: TextRow[];
  let changes: TextChanges;
  const shards = {
    count: 1,
    toWrite: () => shards.count,
    toRead: () => Promise.resolve(shards.count),
    readPlan: () => Promise.resolve({ count: shards.count }),
  };
  const writer = {
    apply: (rows: readonly TextRow[]) => {
      applied.push(...rows);
      return Promise.resolve();
    },
  };
  beforeEach(async () => {
    const everything = ['a', 'b', 'gone'].map((id) => textRowKey({ type: 'Light', id }));
    await started.table.deleteAll(everything);
    applied = [];
    shards.count = 1;
    changes = follower();
  });

  function follower(from?: number): TextChanges {
    return new TextChanges({ table: started.table, shards, log, from });
  }

  async function put(id: string, text: string | undefined, changedAt: number): Promise<void> {
    const texts = text === undefined ? undefined : new Map([['name', text]]);
    const entity = { type: 'Light', id };
    await started.table.put(textRowItem({ entity, texts, changedAt }, shards.count));
  }

  /** One complete poll. @returns the applied changes as `id:text` */
  async function poll(): Promise<string[]> {
    applied = [];
    while (!(await changes.step(writer, signal)));
    return applied.map(({ entity, texts }) => `${entity.id}:${texts?.get('name') ?? ''}`);
  }

  it('are applied once, although polls overlap', async () => {
    await put('a', 'lamp', Date.now());
    expect(await poll()).toEqual(['a:lamp']);
    expect(await poll()).toEqual([]);
    expect(await poll()).toEqual([]);
    await put('a', 'lantern', Date.now());
    await put('gone', undefined, Date.now());
    expect((await poll()).sort()).toEqual(['a:lantern', 'gone:']);
    expect(await poll()).toEqual([]);
  });

  it("are found if the writer's clock is ahead or behind by seconds", async () => {
    await poll();
    await poll(); // The poll with the long overlap.
    await put('a', 'late', Date.now() - 5000);
    await put('b', 'early', Date.now() + 5000);
    expect((await poll()).sort()).toEqual(['a:late', 'b:early']);
    await put('b', 'a clock that is right', Date.now());
    expect(await poll()).toEqual(['b:a clock that is right']);
    expect(await poll()).toEqual([]);
  });

  it('are found if two have the same millisecond', async () => {
    const now = Date.now();
    await put('a', 'first', now);
    expect(await poll()).toEqual(['a:first']);
    await put('a', 'second', now);
    expect(await poll()).toEqual(['a:second']);
  });

  it('are occasionally read with a longer overlap', async () => {
    await poll();
    await put('a', 'very late', Date.now() - 100_000);
    expect(await poll()).toEqual(['a:very late']);
    await put('b', 'very late', Date.now() - 100_000);
    expect(await poll()).toEqual([]);
    changes = follower(Date.now());
    expect((await poll()).sort()).toEqual(['a:very late', 'b:very late']);
  });

  it('continue after the last applied page if a step fails', async () => {
    await put('a', 'lamp', Date.now());
    let fails = 1;
    const failing = {
      apply: (rows: readonly TextRow[]) =>
        fails-- > 0 ? Promise.reject(new Error('not now')) : writer.apply(rows),
    };
    await expect(changes.step(failing, signal)).rejects.toThrow('not now');
    expect(changes.asOf).toBeUndefined();
    const before = Date.now();
    expect(await changes.step(failing, signal)).toBe(true);
    expect(applied).toHaveLength(1);
    // The index is complete up to the start of the failed poll.
    expect(changes.asOf).toBeLessThanOrEqual(before);
  });

  it('are found in all shards, including added ones', async () => {
    await put('a', 'lamp', Date.now());
    await poll();
    shards.count = 4;
    for (const id of ['a', 'b', 'gone']) await put(id, 'later', Date.now());
    expect((await poll()).sort()).toEqual(['a:later', 'b:later', 'gone:later']);
  });

  it('continue after an unreadable row', async () => {
    await put('a', 'lamp', Date.now());
    const { gsi2pk, gsi2sk } = textRowItem(
      { entity: { type: 'Light', id: 'b' }, texts: new Map(), changedAt: Date.now() },
      1,
    );
    const key = { pk: 'E#Light#b', sk: 'E#Light#b' };
    await started.table.put({ ...key, gsi2pk: gsi2pk as string, gsi2sk: gsi2sk as string });
    expect(await poll()).toEqual(['a:lamp']);
    await started.table.delete(key);
  });

  it('are read page by page, with the same result as in one page', async () => {
    const words = ['lamp', 'light', '照明', '居間', 'hall', 'café'];
    const change = fc.record({
      id: fc.nat({ max: 30 }),
      text: fc.option(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 })),
      polls: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 60 }), async (made) => {
        const followed = new WordsInMemory();
        changes = follower();
        for (const { id, text, polls } of made) {
          await put(String(id), text?.join(' '), Date.now());
          if (polls) while (!(await changes.step(followed, signal)));
        }
        while (!(await changes.step(followed, signal)));
        const rebuilt = new WordsInMemory();
        const all = follower();
        while (!(await all.step(rebuilt, signal)));
        for (const word of words) {
          const question = plainQuery(word, { limit: 100 });
          const ids = (index: WordsInMemory) =>
            index
              .search(question)
              .map(({ entity }) => entity.id)
              .sort();
          expect(ids(followed)).toEqual(ids(rebuilt));
        }
        expect(followed.documents).toBe(rebuilt.documents);
      }),
      { numRuns: 15 },
    );
  });

  it('are complete if they exceed a page', async () => {
    const now = Date.now();
    const writer2 = started.table.batchWriter();
    const rows = Array.from({ length: 2500 }, (_, index) =>
      textRowItem(
        {
          entity: { type: 'Many', id: String(index) },
          texts: new Map([['name', `n${index}`]]),
          changedAt: now - 1_000_000 + index,
        },
        1,
      ),
    );
    await Promise.all(rows.map((row) => writer2.put(row)));
    writer2.close();
    let steps = 0;
    applied = [];
    for (let ended = false; !ended; steps++) ended = await changes.step(writer, signal);
    expect(steps).toBeGreaterThan(2);
    const many = applied.filter(({ entity }) => entity.type === 'Many');
    expect(many).toHaveLength(2500);
    expect(new Set(many.map(({ entity }) => entity.id)).size).toBe(2500);
    expect(await poll()).toEqual([]);
  });
});
