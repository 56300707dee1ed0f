import {
  ListMoment,
  listQuery,
  nextCursor,
  parsePosition,
  cursorContext,
  readPage,
  readRows,
  repeatedParameter,
  route,
  timeZoneParameter,
} from '@engawa/http';
import { entityTypeName } from '@engawa/model';
import { z } from 'zod';
import {
  attributesOutput,
  showAttributes,
  showEntity,
} from '../../entities/read/entity-schemas.ts';
import { checkFields, fieldsQuery, refuseFieldsWithoutWhole } from '../../values/fields.ts';
import { maxParts } from '../../values/encode-part.ts';
import { setPart } from '../../values/part-values.ts';
import { presentEntity, readFields } from '../../migrations/present-entity.ts';
import {
  includeOf,
  includeQuery,
  refuseIncludeWithoutWhole,
  withRelations,
} from '../../queries/included/include.ts';
import { listedEntity, readIncluded } from '../../queries/included/read-included.ts';
import { parseSearch } from '../../queries/searches/parse-search.ts';
import { SearchStore } from '../../queries/searches/search-store.ts';
import { withKnownTypes } from '../../types/known/with-known-types.ts';
import { findSearch } from '../../types/find-search.ts';
import { columnsOf, entityColumns } from '../entities/entity-columns.ts';
import {
  maxReadOf,
  totalFor,
  totalQuery,
  searchName,
  totalOutput,
  wholeParameter,
} from '../query-parameters.ts';
import type { ListCall, ListSource, PageResult, Route } from '@engawa/http';
import type { EntityType } from '@engawa/model';
import type { CatalogParts } from '../../catalog-parts.ts';
import type { Fields } from '../../values/fields.ts';
import type { IncludedOf } from '../../queries/included/read-included.ts';
import type { RowCount } from '../../queries/count-rows.ts';
import type { FoundRow } from '../../queries/searches/search-store.ts';

const operationId = 'searchEntities';

const description = [
  'Sorted by the parts of the search, then by id. `eq` gives the values of the leading parts; for the next part, `prefix` gives',
  'the beginning of a text, or `from` and `to` an inclusive range. Without any of them, all entities with those attributes are',
  'listed.',
  '',
  'In a search with a set, an entity is returned once for each matching member, with that member in `values`.',
  '',
  'Collated text matches regardless of case and width. A long text is sorted by its beginning only, but matched exactly.',
  '',
  'The index is eventually consistent: a change is found a moment after its response.',
].join('\n');

const text = z.string();

const query = z
  .strictObject({
    eq: repeatedParameter(text, { maximum: maxParts })
      .optional()
      .describe('Values of the leading parts, in order: `eq=a&eq=b`.'),
    prefix: text.min(1).optional().describe('Beginning of the next part, a text.'),
    from: text.optional().describe('Minimum of the next part, inclusive.'),
    to: text.optional().describe('Maximum of the next part, inclusive.'),
    timeZone: timeZoneParameter.describe(
      'Time zone of dates (their midnight) and local times given for instants: an IANA name such as Asia/Tokyo. Instants may also be `now`, `now-15m` or `now+30d` (units s, m, h, d, w): of the first page, on all pages.',
    ),
    order: z.enum(['ascending', 'descending']).prefault('ascending'),
    whole: wholeParameter(
      'Whether to return the whole entities, for one more DynamoDB request per 100.',
    ),
    ...fieldsQuery,
    ...includeQuery,
    ...totalQuery,
    ...listQuery,
  })
  .superRefine(refuseFieldsWithoutWhole)
  .superRefine(refuseIncludeWithoutWhole);

const foundEntityOutput = z
  .strictObject({
    id: z.string(),
    values: attributesOutput.describe(
      'The values of the parts of the search: attributes, and ids of related entities.',
    ),
  })
  .meta({ id: 'FoundEntity' });

const searchOutput = z.union([foundEntityOutput, listedEntity]);

interface SearchCall extends ListCall {
  params: { type: string; name: string };
  query: z.output<typeof query>;
  signal: AbortSignal;
}

type Options = Pick<CatalogParts, 'table' | 'shards' | 'types' | 'cursors' | 'now'>;

export function searchEntities(options: Options): Route {
  return route({
    method: 'get',
    path: '/v1/search/{type}/{name}',
    operationId,
    summary: 'Search entities by attributes: equality, prefix or range',
    description,
    tags: ['queries'],
    scope: 'read',
    params: z.strictObject({ type: entityTypeName, name: searchName('search') }),
    query,
    responses: {
      200: {
        description: 'A page of matches; with `whole`, of entities.',
        schema: z.strictObject({
          items: z.array(searchOutput),
          ...totalOutput,
          cursor: nextCursor,
        }),
      },
    },
    problems: ['invalid-cursor', 'type-not-found', 'search-not-found', 'search-building'],
    rows: {
      schema: searchOutput,
      columns: async ({ params, query }) =>
        query.whole
          ? entityColumns(await options.types.get(params.type), query)
          : columnsOf('id', 'values'),
      each: async function* (call) {
        yield* readRows(await listingOf(options, call), call);
      },
    },
    handle: async (call) => {
      const { count, ...listing } = await listingOf(options, call);
      const { items, cursor } = await readPage(listing, call);
      const counted = await totalFor(call, count);
      return { status: 200, body: { items, ...counted, cursor } };
    },
  });
}

type FoundPage = PageResult & { items: z.output<typeof searchOutput>[] };

async function listingOf(
  options: Options,
  { params, query: parameters, budget, signal }: SearchCall,
): Promise<ListSource<SearchCall, FoundPage> & { count: () => Promise<RowCount> }> {
  const { type, search, fields } = await withKnownTypes(options.types, [params.type], (type) => {
    return { type, search: findSearch(type, params.name), fields: checkFields(type, parameters) };
  });
  const { order, whole } = parameters;
  const include = await includeOf(options.types, params.type, parameters);
  const moment = new ListMoment(options.cursors, parameters.cursor, options.now);
  const times = { timeZone: parameters.timeZone, now: moment.now };
  const indexSearch = parseSearch(search, parameters, times);
  const store = new SearchStore(options);
  const cursorInput = {
    ...params,
    layout: search.layout,
    order,
    asked: indexSearch.canonical,
    ...(fields && { fields: [...fields] }),
    ...(parameters.include && { include: parameters.include }),
  };
  const from = {
    type: type.name,
    search: search.name,
    ofSet: setPart(type, search.parts) !== undefined,
    indexSearch,
  };
  return {
    count: () => store.count({ ...from, budget, signal }),
    cursors: moment,
    maxRead: maxReadOf,
    cursorContext: () => cursorContext(operationId, cursorInput),
    read: async (_, { after, ...page }) => {
      const found = await store.find({
        ...from,
        descending: order === 'descending',
        whole,
        fields: readFields(withRelations(fields, include), [type]),
        after: parsePosition(z.string().min(1).optional(), after),
        signal,
        ...page,
      });
      const rows = found.rows.map((row) => presentRow(row, type));
      const entities = rows.flatMap(({ entity }) => entity ?? []);
      const includedOf = await readIncluded({ ...options, ...page, signal }, include, entities);
      const items = rows.map((row) => show(row, { fields, includedOf }));
      return { items, positions: found.rows.map(({ sortKey }) => sortKey), after: found.after };
    },
  };
}

function presentRow({ entity, ...row }: FoundRow, type: EntityType): FoundRow {
  return entity === undefined ? row : { ...row, entity: presentEntity(entity, type) };
}

function show(
  { id, values, entity }: FoundRow,
  { fields, includedOf }: { fields: Fields | undefined; includedOf: IncludedOf },
) {
  if (entity === undefined) return { id, values: showAttributes(values) };
  return { ...showEntity(entity, fields), ...includedOf(entity) };
}
