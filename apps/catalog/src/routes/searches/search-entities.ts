import {
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
  shownAttributes,
  showAttributes,
  shownEntity,
  showEntity,
} from '../../entities/read/entity-schemas.ts';
import { fieldsOf, fieldsQuery, refuseFieldsWithoutWhole } from '../../values/fields.ts';
import { mostParts } from '../../values/encode-part.ts';
import { setPart } from '../../values/part-values.ts';
import { presentEntity, readFields } from '../../migrations/present-entity.ts';
import { readSearch } from '../../queries/searches/parse-search.ts';
import { SearchStore } from '../../queries/searches/search-store.ts';
import { byTypes } from '../../types/known/by-types.ts';
import { findSearch } from '../../types/find-search.ts';
import { columnsOf, entityColumns } from '../entities/entity-columns.ts';
import {
  totalFor,
  totalQuery,
  searchName,
  shownTotal,
  wholeParameter,
} from '../query-parameters.ts';
import type { ListSource, PageRequest, PageResult, Route } from '@engawa/http';
import type { EntityType } from '@engawa/model';
import type { CatalogParts } from '../../catalog-parts.ts';
import type { Fields } from '../../values/fields.ts';
import type { Counted } from '../../queries/count-rows.ts';
import type { FoundRow } from '../../queries/searches/search-store.ts';

const operationId = 'searchEntities';

const description = [
  'In the order of the parts of the search, then of their ids. `eq` says what the leading parts are; of the part behind them,',
  '`prefix` says what a text begins with, or `from` and `to` the range that it is in, both inclusive. Without any of them it is',
  'a list of all entities that have those attributes.',
  '',
  'Of a search of a set, an entity is found by each member: once for each that is asked for, with that member in `values`.',
  '',
  'Collated text is found without regard to case and width. Of a long text only the beginning sorts; what is found is right.',
  '',
  'A change is found a moment after it was answered: the index follows the entities.',
].join('\n');

const text = z.string();

const query = z
  .strictObject({
    eq: repeatedParameter(text, { maximum: mostParts })
      .optional()
      .describe('What the leading parts are, in their order: `eq=a&eq=b`.'),
    prefix: text.min(1).optional().describe('What the next part, a text, begins with.'),
    from: text.optional().describe('The least that the next part is.'),
    to: text.optional().describe('The most that the next part is.'),
    timeZone: timeZoneParameter.describe(
      'By whose clocks dates (their midnight) and local times are, for instants: an IANA name such as Asia/Tokyo.',
    ),
    order: z.enum(['ascending', 'descending']).prefault('ascending'),
    whole: wholeParameter('Whether to give the entities themselves: a request more for each 100.'),
    ...fieldsQuery,
    ...totalQuery,
    ...listQuery,
  })
  .superRefine(refuseFieldsWithoutWhole);

const foundEntity = z
  .strictObject({
    id: z.string(),
    values: shownAttributes.describe('What it was found by: attributes, and ids of related ones.'),
  })
  .meta({ id: 'FoundEntity' });

const shown = z.union([foundEntity, shownEntity]);

interface SearchCall {
  params: { type: string; name: string };
  query: z.output<typeof query>;
  budget: PageRequest['budget'];
  signal: AbortSignal;
}

type Options = Pick<CatalogParts, 'table' | 'shards' | 'types' | 'cursors'>;

export function searchEntities(options: Options): Route {
  return route({
    method: 'get',
    path: '/v1/search/{type}/{name}',
    operationId,
    summary: 'The entities that have attributes equal to, beginning with or in a range',
    description,
    tags: ['questions'],
    scope: 'read',
    params: z.strictObject({ type: entityTypeName, name: searchName('search') }),
    query,
    responses: {
      200: {
        description: 'A page of what was found, of whole entities with `whole`.',
        schema: z.strictObject({ items: z.array(shown), ...shownTotal, cursor: nextCursor }),
      },
    },
    problems: ['invalid-cursor', 'type-not-found', 'search-not-found', 'search-building'],
    rows: {
      schema: shown,
      columns: async ({ params, query: { whole, fields } }) =>
        whole
          ? entityColumns(await options.types.get(params.type), fields)
          : columnsOf('id', 'values'),
      each: async function* (call) {
        yield* readRows(await listingOf(options, call), call);
      },
    },
    handle: async (call) => {
      const { count, ...listing } = await listingOf(options, call);
      const { page, cursor } = await readPage(listing, call);
      const counted = await totalFor(call, count);
      return { status: 200, body: { items: [...page.items], ...counted, cursor } };
    },
  });
}

type FoundPage = PageResult & { items: z.output<typeof shown>[] };

async function listingOf(
  options: Options,
  { params, query: asks, budget, signal }: SearchCall,
): Promise<ListSource<SearchCall, FoundPage> & { count: () => Promise<Counted> }> {
  const { type, search, fields } = await byTypes(options.types, [params.type], (type) => {
    return { type, search: findSearch(type, params.name), fields: fieldsOf(type, asks) };
  });
  const { order, whole } = asks;
  const asked = readSearch(search, asks);
  const store = new SearchStore(options);
  const question = {
    ...params,
    layout: search.layout,
    order,
    asked: asked.canonical,
    ...(fields && { fields: [...fields] }),
  };
  const from = {
    type: type.name,
    search: search.name,
    ofSet: setPart(type, search.parts) !== undefined,
    asked,
  };
  return {
    count: () => store.count({ ...from, budget, signal }),
    cursors: options.cursors,
    cursorContext: () => cursorContext(operationId, question),
    read: async (_, { after, ...page }) => {
      const found = await store.find({
        ...from,
        descending: order === 'descending',
        whole,
        fields: readFields(fields, [type]),
        after: parsePosition(z.string().min(1).optional(), after),
        signal,
        ...page,
      });
      const items = found.rows.map((row) => show(row, type, fields));
      return { items, after: found.after };
    },
  };
}

function show({ id, values, entity }: FoundRow, type: EntityType, fields: Fields | undefined) {
  if (entity === undefined) return { id, values: showAttributes(values) };
  return showEntity(presentEntity(entity, type), fields);
}
