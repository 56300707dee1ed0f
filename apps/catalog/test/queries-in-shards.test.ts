import { RequestBudget } from '@engawa/http';
import { fixedShards } from '@engawa/table';
import { openBeforeAll } from '@engawa/testing';
import { attributeRows, ownItem } from '../src/entities/items/entity-items.ts';
import { EntityListStore } from '../src/queries/entity-list-store.ts';
import { RankingStore } from '../src/queries/rankings/ranking-store.ts';
import { indexSearch } from '../src/queries/searches/index-search.ts';
import { SearchStore } from '../src/queries/searches/search-store.ts';
import { byBytes } from './list-queries.ts';
import { startTable } from './table.ts';
import type { Entity, EntityType, RankingDefinition } from '@engawa/model';

const shards = fixedShards(4);

const rankings: RankingDefinition[] = [
  { name: 'own', attribute: 'score', direction: 'descending', layout: 1 },
  { name: 'rows', attribute: 'score', direction: 'descending', layout: 1 },
];
const parts = [{ attribute: 'name', as: 'collated' }] as const;

const type: EntityType = {
  name: 'Player',
  attributes: [
    { name: 'name', kind: 'text', required: true },
    { name: 'score', kind: 'number', required: true },
  ],
  relations: [],
  searches: [{ name: 'byName', parts, layout: 1 }],
  rankings,
  fullText: [],
  ownRanking: 'own',
  version: 1,
  layout: 1,
  built: 1,
  createdAt: 0,
  changedAt: 0,
};

const players = Array.from({ length: 40 }, (_, index) => ({
  id: `${index}`,
  name: `${['Ä', 'a', '😀', '\ue000'][index % 4] ?? ''}${(index * 7) % 11}`,
  score: (index * 3) % 7,
}));

function means() {
  const { signal } = new AbortController();
  return { budget: new RequestBudget({ deadlineMs: 60_000, maxUnits: 1000 }), signal };
}

async function walk<Row, Position>(
  read: (after: Position | undefined) => Promise<{ rows: Row[]; after?: Position | undefined }>,
): Promise<Row[]> {
  let page = await read(undefined);
  const rows = page.rows;
  while (page.after !== undefined) {
    page = await read(page.after);
    rows.push(...page.rows);
  }
  return rows;
}

describe('queries of four shards', () => {
  const started = openBeforeAll(startTable);
  beforeAll(async () => {
    const items = players.flatMap(({ id, name, score }) => {
      const entity: Entity = {
        type: 'Player',
        id,
        attributes: new Map<string, string | number>([
          ['name', name],
          ['score', score],
        ]),
        one: new Map(),
        createdAt: 0,
        updatedAt: 0,
        version: 1,
        layout: 1,
        writeId: 'w',
      };
      return [ownItem(type, entity, shards), ...attributeRows(type, entity, shards)];
    });
    await Promise.all(items.map((item) => started.table.put(item)));
  });

  it.each([
    [1, false],
    [7, false],
    [7, true],
    [100, true],
  ])('return searches in order, in pages of %d, descending: %j', async (limit, descending) => {
    const store = new SearchStore({ table: started.table, shards });
    const byAll = indexSearch(parts, []);
    const question = {
      type: 'Player',
      search: 'byName',
      indexSearch: byAll,
      descending,
      whole: false,
      limit,
    };
    const rows = await walk((after: string | undefined) =>
      store.find({ ...question, after, ...means() }),
    );
    const wanted = players
      .toSorted(
        (a, b) => byBytes(a.name.toLowerCase(), b.name.toLowerCase()) || byBytes(a.id, b.id),
      )
      .map(({ id }) => id);
    expect(rows.map(({ id }) => id)).toEqual(descending ? wanted.toReversed() : wanted);
  });

  it.each([3, 100])('return lists in order, in pages of %d', async (limit) => {
    const store = new EntityListStore({ table: started.table, shards });
    const rows = await walk((after: string | undefined) =>
      store.list({ type: 'Player', descending: false, limit, after, ...means() }),
    );
    const wanted = players.map(({ id }) => id).toSorted(byBytes);
    expect(rows.map(({ entity }) => entity.id)).toEqual(wanted);
  });

  describe.each(rankings)('ranked by $name', (ranking) => {
    const wanted = players
      .map(({ id, score }) => {
        return [1 + players.filter((other) => other.score > score).length, id] as const;
      })
      .toSorted(([left, a], [right, b]) => left - right || byBytes(a, b));
    const shown = ({ id, position }: { id: string; position: { rank: number } }) =>
      [position.rank, id] as const;

    it.each([1, 7, 100])('return ranks in pages of %d', async (limit) => {
      const store = new RankingStore({ table: started.table, shards });
      const question = { type, ranking, whole: false, limit };
      const rows = await walk((after: Parameters<typeof store.top>[0]['after']) =>
        store.top({ ...question, after, ...means() }),
      );
      expect(rows.map(shown)).toEqual(wanted);
    });

    it.each([0, 2, 50])('return %d neighbours with their ranks', async (neighbours) => {
      const store = new RankingStore({ table: started.table, shards });
      for (const [index, [, id]] of wanted.entries()) {
        const found = await store.rankOf({ type, ranking, id, neighbours, ...means() });
        const around = wanted.slice(Math.max(0, index - neighbours), index + neighbours + 1);
        expect(found?.rows.map(shown)).toEqual(around);
        expect(found?.isExact).toBe(true);
      }
    });
  });
});
