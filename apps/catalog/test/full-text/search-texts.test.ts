import { entityKey } from '@engawa/keys';
import { openBeforeAll, until } from '@engawa/testing';
import { startTable } from '../table.ts';
import { declareLights, put, remove } from './lights.ts';
import { startReplica, untilFound, untilLoaded } from './replica.ts';

describe('GET /v1/search', () => {
  const started = openBeforeAll(startTable);
  const replica = openBeforeAll(() => startReplica(started));
  beforeAll(async () => {
    await declareLights(replica);
    await put(replica, 'a', { name: '居間の照明', note: 'Dimmable lamp' });
    await put(replica, 'b', { name: 'ｻｰﾓｽﾀｯﾄ', note: 'Café, lamp of the hall' });
    await put(replica, 'c/#ü', { name: 'Lantern', watts: 40 });
    await put(replica, 'a', { name: 'Living room', note: 'where the lamp is' }, 'Room');
    await untilLoaded(replica);
    await untilFound(replica, 'lamp', ['a', 'a', 'b']);
    await untilFound(replica, 'lantern', ['c/#ü']);
  });

  it.each([
    ['照明', ['a']],
    ['居間の照明', ['a']],
    ['間', ['a']],
    ['明', ['a']],
    ['照明 居間', ['a']],
    ['明照', []],
    ['サーモ', ['b']],
    ['ｻｰﾓ', ['b']],
    ['サーモスタット', ['b']],
    ['CAFE', ['b']],
    ['café ＬＡＭＰ', ['b']],
    ['lam', ['a', 'a', 'b']],
    ['lam hall', []],
    ['hall la', ['b']],
    ['la', ['a', 'a', 'b', 'c/#ü']],
    ['constructor', []],
    ['__proto__', []],
  ])('finds texts with all words of %j, the last one as a prefix', async (q, ids) => {
    expect(await replica.found(q)).toEqual(ids);
  });

  it('finds words at edit distance 1 if there is no exact match', async () => {
    expect(await replica.found('lanturn')).toEqual(['c/#ü']);
    expect(await replica.found('dimable lamp')).toEqual(['a']);
    expect(await replica.found('lanturm')).toEqual([]);
  });

  it('sorts by relevance, limited by limit and type', async () => {
    const { items } = await replica.search({ q: 'lamp' });
    const scores = items.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((left, right) => right - left));
    // The best hit may differ, since scores depend on all texts of the index.
    const [first, ...more] = (await replica.search({ q: 'lamp', limit: '1' })).items;
    expect(more).toEqual([]);
    expect(items.map(({ type, id }) => [type, id])).toContainEqual([first?.type, first?.id]);
    const rooms = await replica.search({ q: 'lamp', type: 'Room' });
    expect(rooms.items).toMatchObject([{ type: 'Room', id: 'a' }]);
    const both = await replica.ask('/v1/search?q=lamp&type=Room&type=Light');
    expect(both.body).toMatchObject({ items: [{}, {}, {}] });
    const unknown = await replica.ask('/v1/search?q=lamp&type=Room&type=Lam');
    expect(unknown).toMatchObject({ status: 404, body: { type: '/problems/type-not-found' } });
  });

  it('returns current entities with whole=true, and omits deleted ones', async () => {
    const { items } = await replica.search({ q: 'lantern', whole: 'true' });
    expect(items).toMatchObject([
      {
        type: 'Light',
        id: 'c/#ü',
        entity: { attributes: { name: 'Lantern', watts: 40 }, version: 1 },
      },
    ]);
    // Deletes the entity without its text row.
    await put(replica, 'ghost', { name: 'Poltergeist' });
    await untilFound(replica, 'poltergeist', ['ghost']);
    await started.table.delete(entityKey({ type: 'Light', id: 'ghost' }));
    expect((await replica.search({ q: 'poltergeist' })).items).toHaveLength(1);
    expect((await replica.search({ q: 'poltergeist', whole: 'true' })).items).toEqual([]);
  });

  it('costs no DynamoDB request, or one with whole=true', async () => {
    const asked = (operation: string) =>
      replica.metric('engawa_table_attempts_total', { operation });
    const before = [await asked('BatchGetItem'), await asked('GetItem')] as const;
    await replica.search({ q: 'la' });
    expect(await asked('BatchGetItem')).toBe(before[0]);
    await replica.search({ q: 'la', whole: 'true' });
    expect(await asked('BatchGetItem')).toBe(before[0] + 1);
    await replica.search({ q: 'nothing', whole: 'true' });
    expect(await asked('BatchGetItem')).toBe(before[0] + 1);
  });

  it('finds changed texts, and no deleted ones', async () => {
    await put(replica, 'x', { name: 'Sconce', note: 'brass' });
    await untilFound(replica, 'sconce', ['x']);
    await put(replica, 'x', { name: 'Chandelier', note: 'brass' });
    await untilFound(replica, 'chandelier', ['x']);
    expect(await replica.found('sconce')).toEqual([]);
    expect(await replica.found('brass')).toEqual(['x']);
    await remove(replica, 'x');
    await untilFound(replica, 'brass', []);
    await put(replica, 'x', { name: 'Spotlight' });
    await untilFound(replica, 'spotlight', ['x']);
  });

  it('returns the age of the result, which polls keep recent', async () => {
    const { asOf, staleMs } = await replica.search({ q: 'lamp' });
    expect(Date.parse(asOf)).toBeLessThanOrEqual(Date.now());
    expect(staleMs).toBeGreaterThanOrEqual(0);
    await until('a later one', async () => (await replica.search({ q: 'lamp' })).asOf > asOf);
    expect(await replica.metric('engawa_full_text_documents')).toBeGreaterThanOrEqual(4);
    expect(await replica.metric('engawa_full_text_polls_total', { outcome: 'ok' })).toBeGreaterThan(
      1,
    );
  });

  it.each(['!', '。、・', '\u0000\u0001\u007f', '   ', '\ud800', '🎉', '"*" OR (1=1) --'])(
    'treats %j as text, not as query syntax',
    async (q) => {
      const { status, body } = await replica.ask(
        `/v1/search?q=${encodeURIComponent(q.toWellFormed())}`,
      );
      expect({ status, body }).toMatchObject({ status: 200, body: { items: [] } });
    },
  );

  it.each([
    ['', 'query.q'],
    [`q=${'x'.repeat(10_000)}`, 'query.q'],
    ['q=', 'query.q'],
    ['q=a&q=b', 'query.q'],
    ['q=a&limit=1001', 'query.limit'],
    ['q=a&limit=0', 'query.limit'],
    ['q=a&whole=yes', 'query.whole'],
    ['q=a&type=', 'query.type[0]'],
    ['q=a&fuzzy=1', 'query.fuzzy'],
    [`q=a${'&type=a'.repeat(21)}`, 'query.type'],
    ['q=%ff', 'query'],
  ])('refuses invalid parameters %# with field errors', async (parameters, path) => {
    const { status, body } = await replica.ask(`/v1/search?${parameters}`);
    expect(status).toBe(400);
    expect((body as { errors: { path: string }[] }).errors.map((error) => error.path)).toContain(
      path,
    );
  });
});
