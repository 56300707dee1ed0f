import { Problem } from '@engawa/errors';
import { integerParameter, route } from '@engawa/http';
import { entityId, entityTypeName } from '@engawa/model';
import { z } from 'zod';
import { RankingStore } from '../../queries/rankings/ranking-store.ts';
import { withKnownTypes } from '../../types/known/with-known-types.ts';
import { findRanking } from '../../types/find-search.ts';
import { searchName } from '../query-parameters.ts';
import { rankedEntity, rankValueOutput, showRanked, showRankValue } from './ranked-entity.ts';
import type { Route } from '@engawa/http';
import type { CatalogParts } from '../../catalog-parts.ts';

const description = [
  'The rank is found by counting the entities before it, for one read unit per 8 KB. If that would exceed the cost limit of a',
  'request, `rankIsExact` is false, and the true ranks are at least those given. The index is eventually consistent: a change is',
  'ranked a moment after its response.',
].join('\n');

const standing = z
  .strictObject({
    rank: z.int().describe('1 is the first; equal values share a rank.'),
    rankIsExact: z.boolean().describe('If false, the true ranks are at least those given.'),
    value: rankValueOutput,
    within: z
      .string()
      .optional()
      .describe('For a ranking within a relation: the id of the entity whose ranking it is.'),
    period: z.string().optional().describe('For a ranking per period: the period of the entity.'),
    items: z
      .array(rankedEntity)
      .describe('The neighbours before it, the entity, and the neighbours after it.'),
  })
  .meta({ id: 'Standing' });

type Options = Pick<CatalogParts, 'table' | 'shards' | 'types'>;

export function getRank(options: Options): Route {
  const store = new RankingStore(options);
  return route({
    method: 'get',
    path: '/v1/rankings/{type}/{name}/{id}',
    operationId: 'getRank',
    summary: 'Get the rank of an entity and its neighbours',
    description,
    tags: ['queries'],
    scope: 'read',
    params: z.strictObject({ type: entityTypeName, name: searchName('ranking'), id: entityId }),
    query: z.strictObject({
      neighbours: integerParameter({ minimum: 0, maximum: 100 })
        .prefault(5)
        .describe('How many neighbours to return before it and after it.'),
    }),
    responses: { 200: { description: 'Its rank and neighbours.', schema: standing } },
    problems: ['type-not-found', 'search-not-found', 'search-building', 'entity-not-found'],
    handle: async ({ params: { id, ...params }, query: { neighbours }, budget, signal }) => {
      const { type, ranking } = await withKnownTypes(options.types, [params.type], (type) => {
        return { type, ranking: findRanking(type, params.name) };
      });
      const found = await store.rankOf({ type, ranking, id, neighbours, budget, signal });
      if (found === undefined) {
        const { attribute, within, period } = ranking;
        const missing = [attribute, within, period?.attribute]
          .filter((name) => name !== undefined)
          .map((name) => JSON.stringify(name))
          .join(' or ');
        const detail = `There is no ${type.name} "${id}", or it has no ${missing}, which the ranking needs.`;
        throw new Problem('entity-not-found', detail);
      }
      const { own, part, rows, isExact: rankIsExact } = found;
      const items = rows.map((row) => showRanked({ ...row, entity: undefined }));
      const { value } = own;
      const { rank } = own.position;
      return {
        status: 200,
        body: { rank, rankIsExact, value: showRankValue(value), ...part, items },
      };
    },
  });
}
