import { openBeforeAll, until } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, quiet } from './entities.ts';
import { pathTo } from './list-queries.ts';
import type { Page, Parameters } from './list-queries.ts';

const maxBytes = 20_000;
/** The envelope of a page: its cursor, and the missing ids. */
const envelope = 1000;

const types = {
  Album: { attributes: [{ name: 'name', kind: 'text' }] },
  Song: {
    attributes: [
      { name: 'title', kind: 'text' },
      { name: 'plays', kind: 'number' },
      { name: 'likes', kind: 'number' },
      { name: 'lyrics', kind: 'text' },
    ],
    relations: [{ name: 'album', to: 'Album', many: false }],
    searches: [{ name: 'byTitle', parts: [{ attribute: 'title', as: 'collated' }] }],
    rankings: [
      { name: 'byPlays', attribute: 'plays', direction: 'descending' },
      { name: 'byLikes', attribute: 'likes', direction: 'descending' },
    ],
    fullText: ['title'],
  },
  Mix: {
    relations: [
      {
        ...{ name: 'songs', to: 'Song', many: true },
        attributes: [{ name: 'note', kind: 'text' }],
      },
    ],
  },
};

/** More than are read at once; some are larger than a page. */
const ids = Array.from({ length: 130 }, (_, index) => `s${String(index).padStart(3, '0')}`);
const lyricsOf = (index: number) => '歌'.repeat(index % 40 === 7 ? 8000 : 50 * (index % 9));

/** A page of an entity with its relations. */
interface Whole {
  relationParts?: { songs: object[] };
  cursor?: string;
}

describe('a page of entities that would exceed RESPONSE_BYTE_LIMIT', () => {
  const catalog = openBeforeAll(() =>
    startCatalog({
      ...quiet,
      FULL_TEXT_REFRESH_MS: '20',
      RESPONSE_BYTE_LIMIT: String(maxBytes),
    }),
  );
  beforeAll(async () => {
    await declare(catalog, types);
    await make(catalog, ['Album', 'a', {}]);
    for (const [index, id] of ids.entries()) {
      const attributes = {
        title: `song ${id}`,
        plays: -index,
        likes: -index,
        lyrics: lyricsOf(index),
      };
      await make(catalog, ['Song', id, { attributes, relations: { album: 'a' } }]);
    }
    await until('all texts to be found', async () => {
      const { body } = await catalog.ask('/v1/search?q=song&total=true&limit=1');
      return (body as { total?: number }).total === ids.length;
    });
  });

  /** All pages, none of which exceeds the limit, unless it has one item. */
  async function boundedPages(segments: readonly string[], parameters: Parameters) {
    const pages: (Page<{ id: string }> & { missing?: string[] })[] = [];
    let cursor: string | undefined;
    do {
      const answer = await catalog.ask(pathTo(segments, { ...parameters, cursor }));
      expect(answer.status).toBe(200);
      const page = answer.body as Page<{ id: string }>;
      const bytes = Buffer.byteLength(JSON.stringify(page));
      if (page.items.length > 1) expect(bytes).toBeLessThan(maxBytes + envelope);
      pages.push(page);
      ({ cursor } = page);
      expect(pages.length).toBeLessThan(100);
    } while (cursor !== undefined);
    expect(pages.length).toBeGreaterThan(5);
    return pages;
  }

  it.each<[string, string[], Parameters]>([
    ['a list', ['entities', 'Song'], { limit: 1000 }],
    ['a list with relations', ['entities', 'Song'], { limit: 1000, whole: 'true' }],
    ['a search', ['search', 'Song', 'byTitle'], { limit: 1000, whole: 'true' }],
    ['related ones', ['entities', 'Album', 'a', 'related', 'Song'], { limit: 1000, whole: 'true' }],
    ['all related ones', ['entities', 'Album', 'a', 'related'], { limit: 1000, whole: 'true' }],
    ['a ranking', ['rankings', 'Song', 'byPlays'], { limit: 1000, whole: 'true' }],
    ['another ranking', ['rankings', 'Song', 'byLikes'], { limit: 1000, whole: 'true' }],
    ['texts', ['search'], { q: 'song', type: 'Song', limit: 1000, whole: 'true' }],
  ])('ends earlier, and all pages have each entity once: %s', async (_, segments, parameters) => {
    const found = (await boundedPages(segments, parameters)).flatMap(({ items }) => items);
    expect(found.map(({ id }) => id).toSorted()).toEqual(ids);
  });

  it('ends earlier: the relations of an entity, each once', async () => {
    const note = '曲'.repeat(200);
    const songs = ids.map((id) => ({ id, attributes: { note } }));
    await make(catalog, ['Mix', 'm', { relations: { songs } }]);
    const pages: Whole[] = [];
    let cursor: string | undefined;
    do {
      const { status, body } = await catalog.ask(pathTo(['entities', 'Mix', 'm'], { cursor }));
      expect(status).toBe(200);
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(maxBytes + envelope);
      pages.push(body as Whole);
      ({ cursor } = body as Whole);
      expect(pages.length).toBeLessThan(100);
    } while (cursor !== undefined);
    expect(pages.length).toBeGreaterThan(3);
    expect(pages.flatMap(({ relationParts }) => relationParts?.songs ?? [])).toEqual(songs);
  });

  it('gives entities by id in pages, and each missing id once', async () => {
    const some = ids.slice(0, 90);
    const requested = ['none1', ...some.slice(0, 50), 'none2', ...some.slice(50), 'none3'];
    const pages = await boundedPages(['entities', 'Song'], { id: requested });
    expect(pages.flatMap(({ items }) => items).map(({ id }) => id)).toEqual(some);
    expect(pages.flatMap(({ missing = [] }) => missing)).toEqual(['none1', 'none2', 'none3']);
  });

  it('has all entities in an export', async () => {
    const path = pathTo(['search', 'Song', 'byTitle'], { whole: 'true' });
    const answer = await fetch(catalog.api + path, { headers: { accept: 'application/x-ndjson' } });
    const rows = (await answer.text()).trimEnd().split('\n');
    expect(rows.map((row) => (JSON.parse(row) as { id: string }).id)).toEqual(ids);
  });
});
