import { textRowKey } from '@engawa/keys';
import { textRowItem } from '@engawa/model';
import fc from 'fast-check';
import pino from 'pino';
import { TextChanges } from '../../src/full-text/text-changes.ts';
import { plainQuestion } from './plain-question.ts';
import { WordsInMemory } from './words-in-memory.ts';
import { startTable } from '../table.ts';
import type { TextRow } from '@engawa/model';
import type { StartedTable } from '../table.ts';

const { signal } = new AbortController();
const log = pino({ enabled: false });

describe('the changes of texts', () => {
  let started: StartedTable;
  let applied: TextRow[];
  let changes: TextChanges;
  const shards = {
    count: 1,
    toWrite: () => shards.count,
    toRead: () => Promise.resolve(shards.count),
  };
  const writer = {
    apply: (rows: readonly TextRow[]) => {
      applied.push(...rows);
      return Promise.resolve();
    },
  };

  beforeAll(async () => (started = await startTable()));
  afterAll(() => started.close());
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

  /** One look, to its end. @returns what it applied, as `id:text` */
  async function look(): Promise<string[]> {
    applied = [];
    while (!(await changes.step(writer, signal)));
    return applied.map(({ entity, texts }) => `${entity.id}:${texts?.get('name') ?? ''}`);
  }

  it('are applied once, although polls overlap', async () => {
    await put('a', 'lamp', Date.now());
    expect(await look()).toEqual(['a:lamp']);
    expect(await look()).toEqual([]);
    expect(await look()).toEqual([]);
    await put('a', 'lantern', Date.now());
    await put('gone', undefined, Date.now());
    expect((await look()).sort()).toEqual(['a:lantern', 'gone:']);
    expect(await look()).toEqual([]);
  });

  it('are seen where the clock of their writer is some seconds off, either way', async () => {
    await look();
    await look(); // The one that goes back far.
    await put('a', 'late', Date.now() - 5000);
    await put('b', 'early', Date.now() + 5000);
    expect((await look()).sort()).toEqual(['a:late', 'b:early']);
    await put('b', 'a clock that is right', Date.now());
    expect(await look()).toEqual(['b:a clock that is right']);
    expect(await look()).toEqual([]);
  });

  it('are seen where two are of the same millisecond', async () => {
    const now = Date.now();
    await put('a', 'first', now);
    expect(await look()).toEqual(['a:first']);
    await put('a', 'second', now);
    expect(await look()).toEqual(['a:second']);
  });

  it('are occasionally read with a longer overlap', async () => {
    await look();
    await put('a', 'very late', Date.now() - 100_000);
    expect(await look()).toEqual(['a:very late']);
    await put('b', 'very late', Date.now() - 100_000);
    expect(await look()).toEqual([]);
    changes = follower(Date.now());
    expect((await look()).sort()).toEqual(['a:very late', 'b:very late']);
  });

  it('go on behind what was read where a step fails', async () => {
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
    // It says how it was when the look began, which was before it failed.
    expect(changes.asOf).toBeLessThanOrEqual(before);
  });

  it('are found in all shards, and in those that come to be', async () => {
    await put('a', 'lamp', Date.now());
    await look();
    shards.count = 4;
    for (const id of ['a', 'b', 'gone']) await put(id, 'later', Date.now());
    expect((await look()).sort()).toEqual(['a:later', 'b:later', 'gone:later']);
  });

  it('do not end at one that cannot be read', async () => {
    await put('a', 'lamp', Date.now());
    const { gsi2pk, gsi2sk } = textRowItem(
      { entity: { type: 'Light', id: 'b' }, texts: new Map(), changedAt: Date.now() },
      1,
    );
    const key = { pk: 'E#Light#b', sk: 'E#Light#b' };
    await started.table.put({ ...key, gsi2pk: gsi2pk as string, gsi2sk: gsi2sk as string });
    expect(await look()).toEqual(['a:lamp']);
    await started.table.delete(key);
  });

  it('are read page by page, and make the same index as all of them at the end', async () => {
    const words = ['lamp', 'light', '照明', '居間', 'hall', 'café'];
    const change = fc.record({
      id: fc.nat({ max: 30 }),
      text: fc.option(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 })),
      looks: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 60 }), async (made) => {
        const followed = new WordsInMemory();
        changes = follower();
        for (const { id, text, looks } of made) {
          await put(String(id), text?.join(' '), Date.now());
          if (looks) while (!(await changes.step(followed, signal)));
        }
        while (!(await changes.step(followed, signal)));
        const anew = new WordsInMemory();
        const all = follower();
        while (!(await all.step(anew, signal)));
        for (const word of words) {
          const question = plainQuestion(word, { limit: 100 });
          const ids = (index: WordsInMemory) =>
            index
              .search(question)
              .map(({ entity }) => entity.id)
              .sort();
          expect(ids(followed)).toEqual(ids(anew));
        }
        expect(followed.documents).toBe(anew.documents);
      }),
      { numRuns: 15 },
    );
  });

  it('are all there where they are more than a page', async () => {
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
    expect(await look()).toEqual([]);
  });
});
