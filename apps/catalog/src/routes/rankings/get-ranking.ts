import {
  ListMoment,
  nextCursor,
  pageQuery,
  parsePosition,
  cursorContext,
  readPage,
  route,
  timeZoneParameter,
} from '@engawa/http';
import { entityId, entityTypeName } from '@engawa/model';
import { z } from 'zod';
import { checkFields, fieldsQuery, refuseFieldsWithoutWhole } from '../../values/fields.ts';
import { entityNotFound } from '../../entities/read/expected-entity.ts';
import { entityExists } from '../../queries/entity-exists.ts';
import { parentOf } from '../../queries/rankings/ranking-parent.ts';
import { askedPeriod } from '../../queries/rankings/asked-period.ts';
import { rankingRange } from '../../queries/rankings/ranking-range.ts';
import { RankingStore } from '../../queries/rankings/ranking-store.ts';
import {
  includeOf,
  includeQuery,
  refuseIncludeWithoutWhole,
  withRelations,
} from '../../queries/included/include.ts';
import { readIncluded } from '../../queries/included/read-included.ts';
import { presentEntity, readFields } from '../../migrations/present-entity.ts';
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
  'With `ties`, only entities that are equal in both values share a rank.',
  'The index is eventually consistent: a change is ranked a moment after its response. The ranks of a page continue from those',
  'of the previous page, as they were when it was read.',
].join('\n');

const query = z
  .strictObject({
    within: entityId
      .optional()
      .describe('For a ranking within a relation: the id of the entity whose ranking it is.'),
    period: z
      .string()
      .optional()
      .describe(
        'For a ranking per period: its name, such as `2026-11-29`, `2026-W48` or `2026-11`, or a time in it, such as `now-1w`. Default: the current period, in UTC; of the first page, on all pages.',
      ),
    from: z.string().optional().describe('Minimum of the value, inclusive.'),
    to: z
      .string()
      .optional()
      .describe(
        'Maximum of the value, inclusive. If entities rank before the range, its first page counts them, for one read unit per 8 KB of index rows.',
      ),
    timeZone: timeZoneParameter.describe(
      'Time zone of dates and local times in `from` and `to`. For instants they may also be `now`, `now-15m` or `now+30d` (units s, m, h, d, w): of the first page, on all pages.',
    ),
    ...pageQuery,
    whole: wholeParameter('Whether to include the entities.'),
    ...fieldsQuery,
    ...includeQuery,
    ...totalQuery,
  })
  .superRefine(refuseFieldsWithoutWhole)
  .superRefine(refuseIncludeWithoutWhole);

/**
 * The content of a cursor: last sort key, number of entities up to it, rank and key segments of the last one, and
 * whether ranks are exact.
 */
const position = z.tuple([z.string(), z.int(), z.int(), z.string(), z.boolean().optional()]);

type Options = Pick<CatalogParts, 'table' | 'shards' | 'types' | 'cursors' | 'now'>;

interface RankingCall extends ListCall {
  params: { type: string; name: string };
  query: z.output<typeof query>;
  signal: AbortSignal;
}

type RankingPage = PageResult & {
  items: z.output<typeof rankedEntity>[];
  rankIsExact: boolean | undefined;
};

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
          period: z
            .string()
            .optional()
            .describe('For a ranking per period: the name of the period.'),
          rankIsExact: z
            .boolean()
            .optional()
            .describe('With a range: if false, the true ranks are at least those given.'),
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
      const { count, period, ...listing } = await listingOf(options, call);
      const { page, items, cursor } = await readPage(listing, call);
      const { rankIsExact } = page;
      const counted = await totalFor(call, count);
      return { status: 200, body: { items, period, rankIsExact, ...counted, cursor } };
    },
  });
}

/** The ranking of a request, and its parameters. */
async function askedOf({ types, cursors, now }: Options, { params, query }: RankingCall) {
  const moment = new ListMoment(cursors, query.cursor, now);
  const times = { timeZone: query.timeZone, now: moment.now };
  const asked = await withKnownTypes(types, [params.type], (type) => {
    const ranking = findRanking(type, params.name);
    const parent = parentOf(type, ranking, query.within);
    const period = askedPeriod(ranking, query.period, moment.now);
    const range = rankingRange(type, ranking, query, times);
    return { type, ranking, parent, period, fields: checkFields(type, query), range };
  });
  const { parent, period, fields, range } = asked;
  const cursorInput = {
    ...{ ...params, layout: asked.ranking.layout },
    ...(parent && { within: parent.id }),
    ...(period !== undefined && { period }),
    ...(fields && { fields: [...fields] }),
    ...(query.include && { include: query.include }),
    ...(range && { range: JSON.stringify(range.sk) }),
  };
  return { ...asked, moment, cursorInput, include: await includeOf(types, params.type, query) };
}

interface RankingListing extends ListSource<RankingCall, RankingPage> {
  period: string | undefined;
  count: () => Promise<RowCount>;
}

async function listingOf(options: Options, call: RankingCall): Promise<RankingListing> {
  const asked = await askedOf(options, call);
  const { type, parent, period, fields, include, range, moment } = asked;
  const listed = { type, ranking: asked.ranking, within: parent?.id, period, range };
  const { query, budget, signal } = call;
  const { whole } = query;
  const store = new RankingStore(options);
  return {
    period,
    count: () => store.count({ ...listed, budget, signal }),
    cursors: moment,
    maxRead: maxReadOf,
    cursorContext: () => cursorContext(operationId, asked.cursorInput),
    read: async (_, { after: from, ...page }) => {
      const after = startOf(parsePosition(position.optional(), from));
      const read = readFields(withRelations(fields, include), [type]);
      const part = { ...listed, whole, fields: read, after };
      const { rows, isExact, after: next } = await store.top({ ...part, signal, ...page });
      const isEmpty = rows.length === 0 && next === undefined && after === undefined;
      if (isEmpty && parent && !(await entityExists(options.table, parent, { ...page, signal }))) {
        throw entityNotFound(parent);
      }
      // The index of the first ranking returns the entities, also where they were not requested.
      const shown = rows.map((row) => ({
        ...row,
        entity: whole && row.entity ? presentEntity(row.entity, type) : undefined,
      }));
      const entities = shown.flatMap(({ entity }) => entity ?? []);
      const includedOf = await readIncluded({ ...options, ...page, signal }, include, entities);
      return {
        items: shown.map((row) => showRanked(row, { fields, includedOf })),
        positions: rows.map((row) => positionOf(row, isExact)),
        rankIsExact: range && isExact,
        ...(next && { after: positionOf({ sortKey: next.sortKey, position: next }, isExact) }),
      };
    },
  };
}

function positionOf(
  { sortKey, position }: Pick<RankedRow, 'sortKey' | 'position'>,
  isExact: boolean,
): JsonValue {
  return [sortKey, position.count, position.rank, position.segment ?? '', isExact];
}

function startOf(from: z.output<typeof position> | undefined) {
  if (from === undefined) return undefined;
  const [sortKey, count, rank, segment, isExact = true] = from;
  return { sortKey, count, rank, segment, isExact };
}
