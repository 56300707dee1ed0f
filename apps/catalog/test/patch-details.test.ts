import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { artist, declare, itemsOf, make, pathOf, quiet, track } from './entities.ts';

describe('PATCH of an entity', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));
  beforeAll(() => declare(catalog, { Artist: artist, Track: track }));

  const patch = (type: string, id: string, body: object) =>
    catalog.ask(pathOf(type, id), { method: 'PATCH', body });

  it('writes nothing for equal values', async () => {
    await make(catalog, ['Track', 'n', { attributes: { title: 'n', likes: 1 } }]);
    const cost = await catalog.costOf(async () => {
      const answer = await patch('Track', 'n', { attributes: { likes: 1 } });
      expect(answer).toMatchObject({ status: 200, body: { version: 1 } });
    });
    expect(cost).toEqual({ Query: 1 });
  });

  it('updates the text row of attributes that only the full text has', async () => {
    const text = { name: 'text', kind: 'text' };
    await declare(catalog, { Note: { attributes: [text], fullText: ['text'] } });
    await make(catalog, ['Note', '1', { attributes: { text: 'one' } }]);
    await patch('Note', '1', { attributes: { text: 'two' } });
    const items = await itemsOf(catalog.table, 'Note', '1');
    expect(items.filter((item) => 'texts' in item)).toMatchObject([{ texts: { text: 'two' } }]);
  });

  it('returns an entity in pages, with any number of relations on the last page', async () => {
    const ids = Array.from({ length: 15 }, (_, index) => `a${10 + index}`);
    await make(catalog, ...ids.map((id) => ['Artist', id, { attributes: { name: id } }] as const), [
      'Track',
      'p',
      { attributes: { title: 'p' } },
    ]);
    await patch('Track', 'p', { relations: { featuring: { add: ids } } });
    const page = async (query: string) =>
      (await catalog.ask(`${pathOf('Track', 'p')}?limit=10${query}`)).body as { cursor?: string };
    const first = await page('');
    expect(first).toMatchObject({ relationParts: { featuring: ids.slice(0, 10) } });
    const second = await page(`&cursor=${encodeURIComponent(first.cursor ?? '')}`);
    expect(second).toMatchObject({ relationParts: { featuring: ids.slice(10) } });
    expect(second).not.toHaveProperty('cursor');
  });
});
