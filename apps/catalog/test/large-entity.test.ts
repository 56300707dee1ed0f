import { catalogTaskKey } from '@engawa/keys';
import { keyOf, parseRelation } from '@engawa/model';
import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
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

const ids = Array.from({ length: 210 }, (_, index) => String(index).padStart(3, '0'));

describe('an entity with more relations than a transaction can have', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));
  beforeAll(async () => {
    await declare(catalog, { Artist: artist, Track: track });
    await makeNamed(catalog, 'Artist', ids);
  });

  function medley(title: string, featuring: string[]) {
    return { attributes: { title, plays: 1 }, relations: { featuring } };
  }

  async function whole(id: string): Promise<{ title: unknown; featuring: string[] }> {
    const { body } = await catalog.ask(pathOf('Track', id));
    const { attributes, relations } = body as {
      attributes: Record<string, unknown>;
      relations: Record<string, string[]>;
    };
    return { title: attributes['title'], featuring: relations['featuring'] ?? [] };
  }

  /** Tracks of other tests have the same search. */
  const foundByTitle = async (id: string) =>
    (await foundIn(catalog.table, 'Track', 'byTitle')).filter((one) => one === id);

  /** Expects no marks of staged writes. */
  async function expectNoStagedItems(id: string): Promise<void> {
    const text = JSON.stringify(await itemsOf(catalog.table, 'Track', id));
    expect(text).not.toMatch(/staged|staging|settles|"gone"/);
    const { pk, sk } = catalogTaskKey('WRITE', 'Track', id);
    const notes = await catalog.table.query({ pk, sk: { beginsWith: sk } });
    expect(notes.items).toEqual([]);
  }

  it('is created, changed and deleted without leftovers', async () => {
    expect(await put(catalog, ['Track', 'a'], medley('all', ids))).toMatchObject({ status: 201 });
    expect(await whole('a')).toEqual({ title: 'all', featuring: ids });
    await expectNoStagedItems('a');

    const odd = ids.filter((_, index) => index % 2 === 1);
    expect(await put(catalog, ['Track', 'a'], medley('odd', odd))).toMatchObject({
      status: 200,
      body: { version: 2 },
    });
    expect(await whole('a')).toEqual({ title: 'odd', featuring: odd });
    await expectNoStagedItems('a');
    expect(await foundByTitle('a')).toEqual(['a']);

    const add = ids.filter((_, index) => index % 2 === 0);
    const body = { relations: { featuring: { add, remove: ['001'] } } };
    await catalog.ask(pathOf('Track', 'a'), { method: 'PATCH', body });
    expect((await whole('a')).featuring).toEqual(ids.filter((id) => id !== '001'));

    expect(await catalog.ask(pathOf('Track', 'a'), { method: 'DELETE' })).toMatchObject({
      status: 204,
    });
    expect(await itemsOf(catalog.table, 'Track', 'a')).toMatchObject([
      { gone: true },
      { sk: 'FULLTEXT' },
    ]);
    expect(await foundByTitle('a')).toEqual([]);
    const back = await catalog.table.query({ index: 'gsi1', pk: 'E#Artist#002' });
    expect(back.items.filter((item) => item['gsi1sk'] === 'R#Track#a')).toEqual([]);
    expect(await put(catalog, ['Track', 'a'], medley('again', ['003']))).toMatchObject({
      status: 201,
      body: { version: 1 },
    });
    expect(await whole('a')).toEqual({ title: 'again', featuring: ['003'] });
  });

  it('is returned in pages', async () => {
    await make(catalog, ['Track', 'p', medley('pages', ids)]);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = `?limit=100${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      const { body } = await catalog.ask(pathOf('Track', 'p') + query);
      const page = body as { relationParts: { featuring: string[] }; cursor?: string };
      expect(page).toMatchObject({ attributes: { title: 'pages' } });
      seen.push(...page.relationParts.featuring);
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(ids);
  });

  it('is refused as a whole if one target does not exist', async () => {
    const relations = { featuring: [...ids, 'nobody'] };
    const answer = await put(catalog, ['Track', 'b'], { ...medley('b', []), relations });
    expect(answer).toMatchObject({
      status: 409,
      body: { errors: [{ path: 'body.relations.featuring' }] },
    });
    expect(await itemsOf(catalog.table, 'Track', 'b')).toEqual([]);
    await expectNoStagedItems('b');
  });

  it('is never read half written', async () => {
    const even = ids.filter((_, index) => index % 2 === 0);
    const odd = ids.filter((_, index) => index % 2 === 1);
    const states = [
      { title: 'even', featuring: even },
      { title: 'odd', featuring: odd },
    ];
    await make(catalog, ['Track', 'c', medley('even', even)]);
    const ended = new AbortController();
    const reading = (async () => {
      let reads = 0;
      while (!ended.signal.aborted) {
        expect(states).toContainEqual(await whole('c'));
        reads += 1;
      }
      return reads;
    })();
    for (let round = 0; round < 3; round++) {
      await make(catalog, ['Track', 'c', medley('odd', odd)], ['Track', 'c', medley('even', even)]);
    }
    ended.abort();
    expect(await reading).toBeGreaterThan(10);
    await expectNoStagedItems('c');
  });

  it('has the content and rows of exactly one of several concurrent writers', async () => {
    const parts = [0, 1, 2].map((part) => ids.filter((_, index) => index % 3 === part));
    await make(catalog, ['Track', 'd', medley('begin', [])]);
    const answers = await Promise.all(
      parts.map((featuring, part) =>
        put(catalog, ['Track', 'd'], medley(`part ${part}`, featuring)),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const states = parts.map((featuring, part) => ({ title: `part ${part}`, featuring }));
    expect(states).toContainEqual(await whole('d'));
    const rows = (await itemsOf(catalog.table, 'Track', 'd')).filter((item) =>
      keyOf(item).sk.startsWith('R#'),
    );
    expect(rows.map((row) => parseRelation(row).relations)).toEqual(rows.map(() => ['featuring']));
    await expectNoStagedItems('d');
  });
});
