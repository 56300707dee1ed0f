import {
  listQuery,
  nextCursor,
  parsePosition,
  questionOf,
  readPage,
  readRows,
  repeatedParameter,
  route,
} from '@engawa/http';
import { entityTypeName } from '@engawa/model';
import { z } from 'zod';
import {
  shownAttributes,
  showAttributes,
  shownEntity,
  showEntity,
} from '../entities/entity-schemas.ts';
import { mostParts } from '../entities/encode-part.ts';
import { readSearch } from '../questions/search-query.ts';
import { SearchStore } from '../questions/search-store.ts';
import { findSearch } from '../types/find-search.ts';
import { columnsOf, entityColumns } from './entity-columns.ts';
import { searchName, wholeParameter } from './question-parameters.ts';
import type { Listing, PageAsked, PageRead, Route } from '@engawa/http';
import type { CatalogParts } from '../catalog-parts.ts';
import type { FoundRow } from '../questions/search-store.ts';

const operationId = 'searchEntities';

const description = [
  'In the order of the parts of the search, then of their ids. `eq` says what the leading parts are; of the part behind them,',
  '`prefix` says what a text begins with, or `from` and `to` the range that it is in, both inclusive. Without any of them it is',
  'a list of all entities that have those attributes.',
  '',
  'Collated text is found without regard to case and width. Of a long text only the beginning sorts; what is found is right.',
  '',
  'A change is found a moment after it was answered: the index follows the entities.',
].join('\n');

const text = z.string();

const query = z.strictObject({
  eq: repeatedParameter(text, { maximum: mostParts })
    .optional()
    .describe('What the leading parts are, in their order: `eq=a&eq=b`.'),
  prefix: text.min(1).optional().describe('What the next part, a text, begins with.'),
  from: text.optional().describe('The least that the next part is.'),
  to: text.optional().describe('The most that the next part is.'),
  order: z.enum(['ascending', 'descending']).prefault('ascending'),
  whole: wholeParameter('Whether to give the entities themselves: a request more for each 100.'),
  ...listQuery,
});

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
  budget: PageAsked['budget'];
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
    answers: {
      200: {
        description: 'A page of what was found, of whole entities with `whole`.',
        schema: z.strictObject({ items: z.array(shown), cursor: nextCursor }),
      },
    },
    problems: ['invalid-cursor', 'type-not-found', 'search-not-found', 'search-building'],
    rows: {
      schema: shown,
      columns: async ({ params, query: { whole } }) =>
        whole ? entityColumns(await options.types.get(params.type)) : columnsOf('id', 'values'),
      each: async function* (call) {
        yield* readRows(await listingOf(options, call), call);
      },
    },
    handle: async (call) => {
      const { page, cursor } = await readPage(await listingOf(options, call), call);
      return { status: 200, body: { items: [...page.items], cursor } };
    },
  });
}

type FoundPage = PageRead & { items: z.output<typeof shown>[] };

async function listingOf(
  options: Options,
  { params, query: asks }: SearchCall,
): Promise<Listing<SearchCall, FoundPage>> {
  const type = await options.types.get(params.type);
  const search = findSearch(type, params.name);
  const { order, whole } = asks;
  const asked = readSearch(search, asks);
  const store = new SearchStore(options);
  const question = { ...params, layout: search.layout, order, asked: asked.canonical };
  return {
    cursors: options.cursors,
    question: () => questionOf(operationId, question),
    read: async ({ signal }, { after, ...page }) => {
      const found = await store.find({
        type: type.name,
        search: search.name,
        asked,
        descending: order === 'descending',
        whole,
        after: parsePosition(z.string().min(1).optional(), after),
        signal,
        ...page,
      });
      return { items: found.rows.map(show), after: found.after };
    },
  };
}

function show({ id, values, entity }: FoundRow) {
  return entity === undefined ? { id, values: showAttributes(values) } : showEntity(entity);
}
