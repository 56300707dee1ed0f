import { nextCursor, pageQuery, parsePosition, cursorContext, readPage, route } from '@engawa/http';
import { entityId, entityTypeName } from '@engawa/model';
import { z } from 'zod';
import { checkFields, fieldsQuery, refuseFieldsWithoutWhole } from '../../values/fields.ts';
import { entityNotFound } from '../../entities/read/expected-entity.ts';
import { entityExists } from '../../queries/entity-exists.ts';
import { parentOf } from '../../queries/rankings/ranking-parent.ts';
import { RankingStore } from '../../queries/rankings/ranking-store.ts';
import { readFields } from '../../migrations/present-entity.ts';
import { withKnownTypes } from '../../types/known/with-known-types.ts';
import { findRanking } from '../../types/find-search.ts';
import {
  maxReadOf,
  totalFor,
  totalQuery,
  searchName,
  totalOutput,
  wholeParameter,
} from '../query-parameters.ts';
import { rankedEntity, showRanked } from './ranked-entity.ts';
import type { JsonValue, ListCall, ListSource, PageResult, Route } from '@engawa/http';
import type { CatalogParts } from '../../catalog-parts.ts';
import type { RankedRow } from '../../queries/rankings/ranking-store.ts';
import type { RowCount } from '../../queries/count-rows.ts';

const operationId = 'getRanking';

const description = [
  'Equal values share a rank, and the next value skips the shared ones: 1, 2, 2, 4. Entities with equal values are sorted by id.',
  'The index is eventually consistent: a change is ranked a moment after its response. The ranks of a page continue from those',
  'of the previous page, as they were when it was read.',
].join('\n');

const query = z
  .strictObject({
    within: entityId
      .optional()
      .describe('For a ranking within a relation: the id of the entity whose ranking it is.'),
    ...pageQuery,
    whole: wholeParameter('Whether to include the entities.'),
    ...fieldsQuery,
    ...totalQuery,
  })
  .superRefine(refuseFieldsWithoutWhole);

/** The content of a cursor: last sort key, number of entities up to it, rank and key segment of the last one. */
const position = z.tuple([z.string(), z.int(), z.int(), z.string()]);

type Options = Pick<CatalogParts, 'table' | 'shards' | 'types' | 'cursors'>;

interface RankingCall extends ListCall {
  params: { type: string; name: string };
  query: z.output<typeof query>;
  signal: AbortSignal;
}

type RankingPage = PageResult & { items: z.output<typeof rankedEntity>[] };

export function getRanking(options: Options): Route {
  return route({
    method: 'get',
    path: '/v1/rankings/{type}/{name}',
    operationId,
    summary: 'List the entities of a ranking in order',
    description,
    tags: ['queries'],
    scope: 'read',
    params: z.strictObject({ type: entityTypeName, name: searchName('ranking') }),
    query,
    responses: {
      200: {
        description: 'A page of the ranking.',
        schema: z.strictObject({
          items: z.array(rankedEntity),
          ...totalOutput,
          cursor: nextCursor,
        }),
      },
    },
    problems: [
      'invalid-cursor',
      'type-not-found',
      'entity-not-found',
      'search-not-found',
      'search-building',
    ],
    handle: async (call) => {
      const { count, ...listing } = await listingOf(options, call);
      const { items, cursor } = await readPage(listing, call);
      return { status: 200, body: { items, ...(await totalFor(call, count)), cursor } };
    },
  });
}

async function listingOf(
  options: Options,
  { params, query, budget, signal }: RankingCall,
): Promise<ListSource<RankingCall, RankingPage> & { count: () => Promise<RowCount> }> {
  const { type, ranking, parent, fields } = await withKnownTypes(
    options.types,
    [params.type],
    (type) => {
      const ranking = findRanking(type, params.name);
      const parent = parentOf(type, ranking, query.within);
      return { type, ranking, parent, fields: checkFields(type, query) };
    },
  );
  const within = parent?.id;
  const { whole } = query;
  const named = { ...(parent && { within }), ...(fields && { fields: [...fields] }) };
  const store = new RankingStore(options);
  return {
    count: () => store.count({ type, ranking, within, budget, signal }),
    cursors: options.cursors,
    maxRead: maxReadOf,
    cursorContext: () =>
      cursorContext(operationId, { ...params, layout: ranking.layout, ...named }),
    read: async (_, { after: from, ...page }) => {
      const after = startOf(parsePosition(position.optional(), from));
      const { rows, after: next } = await store.top({
        type,
        ranking,
        within,
        whole,
        fields: readFields(fields, [type]),
        after,
        signal,
        ...page,
      });
      const isEmpty = rows.length === 0 && next === undefined && after === undefined;
      if (isEmpty && parent && !(await entityExists(options.table, parent, { ...page, signal }))) {
        throw entityNotFound(parent);
      }
      return {
        items: rows.map((row) => showRanked(row, { whole, type, fields })),
        positions: rows.map(positionOf),
        ...(next && { after: positionOf({ sortKey: next.sortKey, position: next }) }),
      };
    },
  };
}

function positionOf({ sortKey, position }: Pick<RankedRow, 'sortKey' | 'position'>): JsonValue {
  return [sortKey, position.count, position.rank, position.segment ?? ''];
}

function startOf(from: z.output<typeof position> | undefined) {
  if (from === undefined) return undefined;
  const [sortKey, count, rank, segment] = from;
  return { sortKey, count, rank, segment };
}
