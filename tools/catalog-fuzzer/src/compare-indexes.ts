import { until } from '@engawa/testing';
import { words } from './choices.ts';
import { send } from './client.ts';
import { relationKey, relationNames, targetOf } from './content.ts';
import type { StoredEntities } from './compare.ts';
import type { Content } from './content.ts';
import type { Report } from './report.ts';

interface Options {
  /** Names of types and searches, such as `Track/byName`. */
  searches: ReadonlySet<string>;
  report: Report;
}

type IndexItem = Record<string, unknown> & { id: string };

const pageSize = 100;

/** Compares every list, search, ranking, relation and full-text hit of a replica with the stored entities. */
export async function compareIndexes(
  url: string,
  everything: StoredEntities,
  { searches, report }: Options,
): Promise<void> {
  const there = [...everything.values()].flatMap(({ name, state, score }) =>
    state === undefined ? [] : [{ ...name, state, score }],
  );
  const expectSame: ExpectSame = (what, found, expected) => {
    const wrong = differences(found, expected);
    if (wrong !== undefined) report.inconsistency(`${what}: ${wrong}`);
  };
  for (const type of ['Artist', 'Track']) {
    await compareType(url, { type, there, searches, expectSame });
  }
  const ranked = await everyItem(url, '/v1/rankings/Artist/byPlays');
  const scored = there.filter(({ score }) => score !== undefined);
  const shown = (id: string, score: unknown) => `${id} ${String(score)}`;
  expectSame(
    'the ranking',
    ranked.map(({ id, value }) => shown(id, value)),
    scored.map(({ id, score }) => shown(id, score)),
  );
  await compareBackward(url, there, expectSame);
}

interface ExistingEntity {
  type: string;
  id: string;
  state: Content;
}

type ExpectSame = (what: string, found: readonly string[], expected: readonly string[]) => void;

interface TypeOptions {
  type: string;
  there: readonly ExistingEntity[];
  searches: ReadonlySet<string>;
  expectSame: ExpectSame;
}

async function compareType(
  url: string,
  { type, there, searches, expectSame }: TypeOptions,
): Promise<void> {
  const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);
  const ofType = there.filter((one) => one.type === type);
  expectSame(
    `the list of ${type}`,
    idsOf(await everyItem(url, `/v1/entities/${type}`)),
    idsOf(ofType),
  );
  for (const search of searches) {
    const [searched, name = ''] = search.split('/');
    if (searched !== type) continue;
    const found = await everyItem(url, `/v1/search/${type}/${name}`);
    const expected = ofType.filter(({ state }) => name !== 'byArtist' || hasArtist(state));
    expectSame(`the search ${search}`, idsOf(found), idsOf(expected));
  }
  for (const word of words) {
    const hits = await textHits(url, type, word);
    const expected = ofType.filter(({ state }) => state.name.split(' ').includes(word));
    expectSame(`full text of ${type} with ${word}`, hits, idsOf(expected));
  }
}

async function compareBackward(
  url: string,
  there: readonly ExistingEntity[],
  expectSame: ExpectSame,
): Promise<void> {
  for (const { type, id } of there) {
    if (type !== 'Artist') continue;
    const rows = await everyItem(url, `/v1/entities/Artist/${id}/related/Track`);
    const found = rows.flatMap((row) =>
      (row['relations'] as string[]).map((relation) => `${row.id} ${relation}`),
    );
    const expected = there.flatMap(({ id: track, state }) =>
      relationNames.flatMap((relation) =>
        state.relations.has(relationKey(relation, id)) ? [`${track} ${relation}`] : [],
      ),
    );
    expectSame(`what relates to ${id}`, found, expected);
  }
}

function hasArtist({ relations }: Content): boolean {
  return [...relations.keys()].some((key) => targetOf(key).relation === 'artist');
}

async function everyItem(url: string, path: string): Promise<IndexItem[]> {
  const items: IndexItem[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ limit: String(pageSize), ...(cursor && { cursor }) });
    const answer = await send(url, { method: 'GET', path: `${path}?${query.toString()}` });
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    const page = answer.body as { items: IndexItem[]; cursor?: string };
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return items;
}

/** Waits for an index that contains all current writes. */
async function textHits(url: string, type: string, word: string): Promise<string[]> {
  const now = Date.now();
  const query = new URLSearchParams({ q: word, type, limit: String(pageSize) });
  return until('full text to be up to date', async () => {
    const answer = await send(url, { method: 'GET', path: `/v1/search?${query.toString()}` });
    const { asOf, items } = answer.body as { asOf?: string; items?: IndexItem[] };
    const isUpToDate = answer.status === 200 && Date.parse(asOf ?? '') >= now;
    return isUpToDate ? items?.map(({ id }) => id) : undefined;
  });
}

function differences(found: readonly string[], expected: readonly string[]): string | undefined {
  const seen = new Set(found);
  const wanted = new Set(expected);
  const parts = [
    [
      'twice',
      found.length - seen.size > 0 ? found.filter((id, index) => found.indexOf(id) !== index) : [],
    ],
    ['missing', expected.filter((id) => !seen.has(id))],
    ['too much', found.filter((id) => !wanted.has(id))],
  ] as const;
  const wrong = parts.filter(([, ids]) => ids.length > 0);
  if (wrong.length === 0) return undefined;
  return wrong.map(([what, ids]) => `${what}: ${ids.slice(0, 5).join(', ')}`).join('; ');
}
