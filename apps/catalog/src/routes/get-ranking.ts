import { nextCursor, pageQuery, parsePosition, questionOf, readPage, route } from '@engawa/http';
import { entityTypeName } from '@engawa/model';
import { z } from 'zod';
import { RankingStore } from '../questions/ranking-store.ts';
import { findRanking } from '../types/find-search.ts';
import { searchName, wholeParameter } from './question-parameters.ts';
import { rankedEntity, showRanked } from './ranked-entity.ts';
import type { ListCall, Listing, PageRead, Route } from '@engawa/http';
import type { CatalogParts } from '../catalog-parts.ts';

const operationId = 'getRanking';

const description = [
  'Those that tie share a rank, and the next one comes behind all of them: 1, 2, 2, 4. They stand in the order of their ids.',
  'A change is ranked a moment after it was answered: the index follows the entities. From page to page ranks go on from',
  'those before, as they were when they were given.',
].join('\n');

const query = z.strictObject({
  ...pageQuery,
  whole: wholeParameter('Whether to give the entities, too.'),
});

/** What a cursor has: where the page ended, how many there were up to there, and what the last of them had. */
const position = z.tuple([z.string(), z.int(), z.int(), z.string()]);

type Options = Pick<CatalogParts, 'table' | 'shards' | 'types' | 'cursors'>;

interface RankingCall extends ListCall {
  params: { type: string; name: string };
  query: z.output<typeof query>;
  signal: AbortSignal;
}

type RankingPage = PageRead & { items: z.output<typeof rankedEntity>[] };

export function getRanking(options: Options): Route {
  return route({
    method: 'get',
    path: '/v1/rankings/{type}/{name}',
    operationId,
    summary: 'The entities in the order of a ranking',
    description,
    tags: ['questions'],
    scope: 'read',
    params: z.strictObject({ type: entityTypeName, name: searchName('ranking') }),
    query,
    answers: {
      200: {
        description: 'The first of them, or the next.',
        schema: z.strictObject({ items: z.array(rankedEntity), cursor: nextCursor }),
      },
    },
    problems: ['invalid-cursor', 'type-not-found', 'search-not-found', 'search-building'],
    handle: async (call) => {
      const listing = await listingOf(options, call);
      const { page, cursor } = await readPage(listing, call);
      return { status: 200, body: { items: page.items, cursor } };
    },
  });
}

async function listingOf(
  options: Options,
  { params, query: { whole } }: RankingCall,
): Promise<Listing<RankingCall, RankingPage>> {
  const type = await options.types.get(params.type);
  const ranking = findRanking(type, params.name);
  const store = new RankingStore(options);
  return {
    cursors: options.cursors,
    question: () => questionOf(operationId, { ...params, layout: ranking.layout }),
    read: async ({ signal }, { after: from, ...asked }) => {
      const after = startOf(parsePosition(position.optional(), from));
      const { rows, after: next } = await store.top({
        type,
        ranking,
        whole,
        after,
        signal,
        ...asked,
      });
      return {
        items: rows.map((row) => showRanked(row, { whole })),
        ...(next && { after: [next.sortKey, next.count, next.rank, next.segment ?? ''] }),
      };
    },
  };
}

function startOf(from: z.output<typeof position> | undefined) {
  if (from === undefined) return undefined;
  const [sortKey, count, rank, segment] = from;
  return { sortKey, count, rank, segment };
}
