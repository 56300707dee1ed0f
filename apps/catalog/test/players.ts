import { RequestBudget } from '@engawa/http';
import { EntityStore } from '../src/entities/write/entity-store.ts';
import { EntityListStore } from '../src/queries/entity-list-store.ts';
import { RankingStore } from '../src/queries/rankings/ranking-store.ts';
import { indexSearch } from '../src/queries/searches/index-search.ts';
import { SearchStore } from '../src/queries/searches/search-store.ts';
import pino from 'pino';
import type { EntityType, RankingDefinition } from '@engawa/model';
import type { Shards, Table } from '@engawa/table';
import type { TopPosition } from '../src/queries/rankings/ranking-store.ts';

const parts = [{ attribute: 'name', as: 'text' }] as const;
const own: RankingDefinition = {
  name: 'own',
  attribute: 'score',
  direction: 'ascending',
  layout: 1,
};
const rows: RankingDefinition = { ...own, name: 'rows', attribute: 'age' };

/** A type with a search, an own ranking, a ranking with rows, and full text. */
export const playerType: EntityType = {
  name: 'Player',
  attributes: [
    { name: 'name', kind: 'text', required: true },
    { name: 'score', kind: 'number', required: true },
    { name: 'age', kind: 'number', required: true },
  ],
  relations: [{ name: 'friends', to: 'Player', many: true }],
  searches: [{ name: 'byName', parts, layout: 1 }],
  rankings: [own, rows],
  fullText: ['name'],
  ownRanking: 'own',
  version: 1,
  layout: 1,
  built: 1,
  createdAt: 0,
  changedAt: 0,
};

export const playerTypes = {
  get: () => Promise.resolve(playerType),
  all: () => Promise.resolve([playerType]),
  changed: () => Promise.resolve(),
  refresh: () => Promise.resolve(),
};

export interface Player {
  id: string;
  /** The name is `n` and the padded number, so that searches and rankings have the same order. */
  number: number;
  friends?: readonly string[];
}

export interface PlayersPage {
  ids: string[];
  after?: string | undefined;
}

/** Queries of all players in pages, each sorted by number. */
export const queryKinds = ['list', 'search', 'own', 'rows'] as const;
export type QueryKind = (typeof queryKinds)[number];

const { signal } = new AbortController();
const means = () => ({
  budget: new RequestBudget({ deadlineMs: 60_000, maxUnits: 10_000 }),
  signal,
});

/** Writes and queries players like one replica, with its shard map. */
export class Players {
  readonly entities: EntityStore;
  readonly #stores;

  constructor(options: { table: Table; shards: Shards }) {
    const log = pino({ enabled: false });
    this.entities = new EntityStore({ ...options, types: playerTypes, log });
    this.#stores = {
      lists: new EntityListStore(options),
      searches: new SearchStore(options),
      rankings: new RankingStore(options),
    };
  }

  async put({ id, number, friends = [] }: Player): Promise<void> {
    const attributes = new Map<string, string | number>([
      ['name', `n${number}`],
      ['score', number],
      ['age', number],
    ]);
    const content = { attributes, relations: new Map([['friends', friends]]) };
    const name = { type: 'Player', id };
    await this.entities.put({ name, content, expected: undefined });
  }

  /** The rank in the own ranking, with one request. */
  async score(id: string, score: number): Promise<void> {
    const changes = {
      attributes: new Map([['score', score]]),
      relations: new Map(),
      conditions: [],
    };
    await this.entities.patch({ name: { type: 'Player', id }, changes, revision: undefined });
  }

  async page(question: QueryKind, after: string | undefined, limit: number): Promise<PlayersPage> {
    const { lists, searches, rankings } = this.#stores;
    const asked = { limit, whole: false, ...means() };
    if (question === 'list') {
      const page = await lists.list({ type: 'Player', descending: false, after, ...asked });
      return { ids: page.rows.map(({ entity }) => entity.id), after: page.after };
    }
    if (question === 'search') {
      const named = { type: 'Player', search: 'byName', indexSearch: indexSearch(parts, []) };
      const page = await searches.find({ ...named, descending: false, after, ...asked });
      return { ids: page.rows.map(({ id }) => id), after: page.after };
    }
    const from = after === undefined ? undefined : (JSON.parse(after) as TopPosition);
    const ranking = question === 'own' ? own : rows;
    const page = await rankings.top({ type: playerType, ranking, after: from, ...asked });
    const ids = page.rows.map(({ id }) => id);
    return { ids, ...(page.after && { after: JSON.stringify(page.after) }) };
  }

  async all(question: QueryKind, after?: string): Promise<string[]> {
    const ids: string[] = [];
    let from = after;
    do {
      const page = await this.page(question, from, 7);
      ids.push(...page.ids);
      from = page.after;
    } while (from !== undefined);
    return ids;
  }
}
