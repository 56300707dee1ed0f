import { openBeforeAll } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import {
  artist,
  declare,
  foundIn,
  itemsOf,
  make,
  makeNamed,
  pathOf,
  put,
  quiet,
  track,
} from './entities.ts';
import { decides, Gate, isTransaction } from './gate.ts';
import { startTable } from './table.ts';
import type { TestResponse, Catalog } from './catalog.ts';

const ids = Array.from({ length: 120 }, (_, index) => `a${String(index).padStart(3, '0')}`);

/** One replica is held during a write, and the other one continues. */
describe('a write with a concurrent write between its read and its transaction', () => {
  const started = openBeforeAll(startTable);
  const gate = openBeforeAll(() => Gate.start(started.location.endpoint));
  const quick = openBeforeAll(() => catalogOn(started, quiet));
  beforeAll(() => declare(quick, { Artist: artist, Track: track }));
  const slow = openBeforeAll(() => catalogOn(started, { ...quiet, ...gate.environment }));
  beforeAll(() => makeNamed(quick, 'Artist', ids));

  const patch = (catalog: Catalog, id: string, body: object, headers = {}) =>
    catalog.ask(pathOf('Track', id), { method: 'PATCH', body, headers });

  /** If-Match with the current ETag. */
  async function unchanged(id: string): Promise<Record<string, string>> {
    const { headers } = await quick.ask(pathOf('Track', id));
    return { 'if-match': headers.get('etag') ?? '' };
  }

  async function betweenReadAndTransaction(
    write: () => Promise<TestResponse>,
    other: () => Promise<unknown>,
    matches = isTransaction,
  ): Promise<TestResponse> {
    const held = gate.hold(matches);
    const answer = write();
    // If the request ended earlier, its response has the reason.
    await Promise.race([held.arrived, answer]);
    await other();
    held.release();
    return answer;
  }

  it('deletes all items, including concurrently added ones', async () => {
    await make(quick, ['Track', 'd', { attributes: { title: 'd' } }]);
    const answer = await betweenReadAndTransaction(
      () => slow.ask(pathOf('Track', 'd'), { method: 'DELETE' }),
      () => patch(quick, 'd', { attributes: { likes: 1 }, relations: { artist: 'a000' } }),
    );
    expect(answer).toMatchObject({ status: 204 });
    const [own, text, ...others] = await itemsOf(started.table, 'Track', 'd');
    expect([own?.['gone'], others]).toEqual([true, []]);
    // The text row is the removal.
    expect(text).toMatchObject({ changedAt: expect.any(Number) as number });
    expect(text).not.toHaveProperty('texts');
    expect(text).toHaveProperty('ttl');
    expect(await foundIn(started.table, 'Track', 'byLikes')).toEqual([]);
  });

  it('is refused as a conditional deletion', async () => {
    await make(quick, ['Track', 'v', { attributes: { title: 'v' } }]);
    const headers = await unchanged('v');
    const answer = await betweenReadAndTransaction(
      () => slow.ask(pathOf('Track', 'v'), { method: 'DELETE', headers }),
      () => patch(quick, 'v', { attributes: { plays: 1 } }),
    );
    expect(answer).toMatchObject({ status: 412 });
    expect(await quick.ask(pathOf('Track', 'v'))).toMatchObject({ body: { version: 2 } });
  });

  it('is refused as a creation if the entity was created meanwhile', async () => {
    const answer = await betweenReadAndTransaction(
      () => put(slow, ['Track', 'm'], { attributes: { title: 'two' } }, { 'if-none-match': '*' }),
      () => make(quick, ['Track', 'm', { attributes: { title: 'one', likes: 1 } }]),
    );
    expect(answer).toMatchObject({ status: 412, body: { type: '/problems/already-exists' } });
    expect(await quick.ask(pathOf('Track', 'm'))).toMatchObject({
      body: { attributes: { title: 'one' }, version: 1 },
    });
  });

  it('keeps a concurrent score in a staged change, counted once', async () => {
    await make(quick, ['Track', 's', { attributes: { title: 's', plays: 1 } }]);
    const answer = await betweenReadAndTransaction(
      () => patch(slow, 's', { attributes: { likes: 2 }, relations: { featuring: ids } }),
      () => patch(quick, 's', { attributes: { plays: 7 } }),
      decides,
    );
    expect(answer).toMatchObject({ status: 200, body: { attributes: { plays: 7, likes: 2 } } });
    const { body } = await quick.ask(`${pathOf('Track', 's')}?limit=1000`);
    expect(body).toMatchObject({ version: 3, relations: { featuring: ids } });
    const text = JSON.stringify(await itemsOf(started.table, 'Track', 's'));
    expect(text).not.toMatch(/staged|staging|settles/);
  });

  it('turns a staged creation into a change of the concurrently created entity, without leftovers', async () => {
    const answer = await betweenReadAndTransaction(
      () =>
        put(slow, ['Track', 'b'], { attributes: { title: 'many' }, relations: { featuring: ids } }),
      () => put(quick, ['Track', 'b'], { attributes: { title: 'one', likes: 1 } }),
      decides,
    );
    expect(answer).toMatchObject({ status: 200, body: { version: 2 } });
    expect(await foundIn(started.table, 'Track', 'byTitle')).toContain('b');
    expect(await foundIn(started.table, 'Track', 'byLikes')).not.toContain('b');
    const text = JSON.stringify(await itemsOf(started.table, 'Track', 'b'));
    expect(text).not.toMatch(/staged|staging|settles|gone/);
  });

  it('recognizes its own score after a lost response, also by version', async () => {
    await make(quick, ['Track', 'l', { attributes: { title: 'l', plays: 1 } }]);
    gate.loseAnswer(({ operation }) => operation === 'UpdateItem');
    const answer = await patch(slow, 'l', { attributes: { plays: 2 } }, await unchanged('l'));
    expect(answer).toMatchObject({ status: 200, body: { version: 2, attributes: { plays: 2 } } });
  });

  it('reads the table, not an index or a cache', async () => {
    await make(quick, ['Track', 'c', { attributes: { title: 'c' } }]);
    gate.requests.length = 0;
    await put(slow, ['Track', 'c'], { attributes: { title: 'd' }, relations: { featuring: ids } });
    await patch(slow, 'c', { attributes: { likes: 1 } });
    await slow.ask(pathOf('Track', 'c'), { method: 'DELETE' });
    const reads = gate.requests.filter(({ body }) => /"(KeyConditionExpression|Key)":/.test(body));
    const ofTable = reads.filter(
      ({ operation, body }) => /^(Query|GetItem)$/.test(operation) && !body.includes('IndexName'),
    );
    expect(ofTable.length).toBeGreaterThan(3);
    for (const { body } of ofTable) expect(body).toContain('"ConsistentRead":true');
  });
});
