import { ListMoment, parsePosition, cursorContext, readPage, route } from '@engawa/http';
import { z } from 'zod';
import { showEntity } from '../../entities/read/entity-schemas.ts';
import { maxReadOf } from '../query-parameters.ts';
import { targetKey } from '../../entities/items/entity-items.ts';
import { valueOfKey } from '../../full-text/filter-keys.ts';
import { presenter } from '../../migrations/presenter.ts';
import { includeOf } from '../../queries/included/include.ts';
import { readIncluded } from '../../queries/included/read-included.ts';
import { parseCriteria } from '../../queries/searches/text-criteria.ts';
import { fetchEntities } from '../../queries/fetch-entities.ts';
import { withKnownTypes } from '../../types/known/with-known-types.ts';
import { searchTextsResponse, searchTextsQuery } from './search-texts-schemas.ts';
import type {
  Cursors,
  JsonValue,
  ListCall,
  ListSource,
  PageRequest,
  PageResult,
  RequestBudget,
  Route,
} from '@engawa/http';
import type { EntityName } from '@engawa/keys';
import type { ScalarValue } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { FullTextResult, FullText } from '../../full-text/full-text.ts';
import type { Facet, HitPosition } from '../../full-text/text-index.ts';
import type { Criteria, DeclaredFilter } from '../../queries/searches/text-criteria.ts';
import type { KnownTypes } from '../../types/known/known-types.ts';
import type { SearchTextsQuery } from './search-texts-schemas.ts';

export interface SearchTextsOptions {
  table: Table;
  types: KnownTypes;
  fullText: FullText;
  cursors: Cursors;
  now: () => number;
}

const operationId = 'searchTexts';

const description = [
  'Searches the attributes that types declare under `fullText`. All words of `q` must occur in the texts of an entity, in any',
  'order, regardless of case, width (ｻｰﾓ, サーモ) and accents of Latin letters; the last word matches as a prefix. In scripts',
  'without spaces (居間の照明), each two adjacent characters are a word. If nothing is found, Latin words of five or more letters',
  'also match words that differ in one letter. The first 65,536 characters of an entity are indexed.',
  '',
  'The attributes that types declare under `filters` can be used to filter, sort and count hits. Numbers compare exactly,',
  'instants as times, collated text regardless of case and width; the first 512 bytes of a text count. A name that has `=`, `<`,',
  '`>` or `%`, begins with `-` or `!`, or ends with `!`, is percent-encoded (in addition to the encoding of the whole parameter).',
  'A set meets a condition if a member does; it cannot be sorted by.',
  '',
  'Entities stored by `asOf` are found as they were then; later changes may or may not be. A page continues after the last hit of',
  'the previous one: unchanged entities are neither repeated nor skipped, except when sorted by relevance, since scores change',
  'slightly with every change of the index, and between replicas.',
].join('\n');

/** Where a page ended, and whether the search was fuzzy. */
const position = z.strictObject({
  type: z.string(),
  id: z.string(),
  score: z.number().optional(),
  value: z.string().nullable().optional(),
  lenient: z.boolean(),
});

interface SearchCall extends ListCall {
  query: SearchTextsQuery;
  signal: AbortSignal;
}

interface FoundPage extends PageResult {
  items: z.output<typeof searchTextsResponse>['items'];
  answer: FullTextResult;
}

export function searchTexts(options: SearchTextsOptions): Route {
  return route({
    method: 'get',
    path: '/v1/search',
    operationId,
    summary: 'Search the texts of entities, with filters, sorting and facets',
    description,
    tags: ['full text'],
    query: searchTextsQuery,
    responses: { 200: { description: 'A page of hits.', schema: searchTextsResponse } },
    problems: [
      'invalid-cursor',
      'type-not-found',
      'search-building',
      'full-text-unavailable',
      'full-text-too-large',
      'full-text-timeout',
    ],
    handle: async (call) => {
      const moment = new ListMoment(options.cursors, call.query.cursor, options.now);
      const criteria = await criteriaOf(options, call.query, moment);
      const listing = listingOf({ ...options, cursors: moment }, criteria);
      const { page, items, cursor } = await readPage(listing, call);
      const { asOf, total, facets } = page.answer;
      return {
        status: 200,
        body: {
          items,
          ...(cursor !== undefined && { cursor }),
          ...(total !== undefined && { total }),
          ...(facets !== undefined && { facets: facets.map(facetOutput(criteria.facets)) }),
          asOf: new Date(asOf).toISOString(),
          staleMs: Math.max(0, Date.now() - asOf),
        },
      };
    },
  });
}

async function criteriaOf(
  { types }: SearchTextsOptions,
  query: SearchTextsQuery,
  { now }: ListMoment,
): Promise<Criteria> {
  const times = { timeZone: query.timeZone, now };
  const [first, ...others] = query.type ?? [];
  if (first === undefined) return parseCriteria([], query, times);
  return withKnownTypes(types, [first, ...others], (...known) =>
    parseCriteria(known, query, times),
  );
}

function listingOf(
  options: SearchTextsOptions,
  criteria: Criteria,
): ListSource<SearchCall, FoundPage> {
  const { filters, order } = criteria;
  return {
    cursors: options.cursors,
    maxRead: maxReadOf,
    cursorContext: ({ query: { q, type = [], include } }) => {
      const canonicalFilters = filters.map(({ name, is, values }) => [name, is, ...values]);
      const types = [...new Set(type)].toSorted();
      return cursorContext(operationId, {
        q: q ?? null,
        types,
        filters: canonicalFilters,
        order: order ?? null,
        ...(include && { include }),
      });
    },
    read: (call, page) => read(options, { call, criteria, page }),
  };
}

async function read(
  options: SearchTextsOptions,
  { call, criteria, page }: { call: SearchCall; criteria: Criteria; page: PageRequest },
): Promise<FoundPage> {
  const { q, type = [], whole, total, multiSelect } = call.query;
  const { signal } = call;
  const { budget } = page;
  // One read: each search of the index takes as long.
  const limit = Math.min(page.limit, maxReadOf(call) ?? Infinity);
  const from = parsePosition(position.optional(), page.after);
  const answer = await options.fullText.search({
    ...criteria,
    text: q,
    types: [...new Set(type)],
    facets: criteria.facets.map(({ name, isSet }) => ({ name, isSet })),
    total,
    multiSelect,
    lenient: from?.lenient,
    after: from && {
      entity: { type: from.type, id: from.id },
      score: from.score,
      value: from.value,
    },
    // One extra hit tells whether there is a next page.
    limit: limit + 1,
    signal,
  });
  const found = answer.found.slice(0, limit);
  const shownOf = whole ? await readEntities(options, { call, found, budget }) : undefined;
  const shown = found.flatMap((hit) => {
    const { entity: name, shownScore } = hit;
    const item = { ...name, ...(shownScore !== undefined && { score: shownScore }) };
    const position = positionOf(hit, answer.lenient);
    if (shownOf === undefined) return [{ item, position }];
    const entity = shownOf(name);
    return entity === undefined ? [] : [{ item: { ...item, entity }, position }];
  });
  const items = shown.map(({ item }) => item);
  const positions = shown.map(({ position }) => position);
  const last = answer.found.length > limit ? found.at(-1) : undefined;
  return { items, positions, answer, after: last && positionOf(last, answer.lenient) };
}

/** Reads the entities of hits, and what they include. @returns undefined for an entity that was deleted since */
async function readEntities(
  options: SearchTextsOptions,
  {
    call,
    found,
    budget,
  }: { call: SearchCall; found: readonly HitPosition[]; budget: RequestBudget },
) {
  const { table, types, now } = options;
  const { query, signal } = call;
  const limits = { budget, signal };
  const [type] = query.type ?? [];
  const include = type === undefined ? undefined : await includeOf(types, type, query);
  const names = found.map(({ entity }) => entity);
  const stored = await fetchEntities(table, names, limits);
  const { presentEntity } = presenter(await types.all());
  const entities = new Map([...stored].map(([key, entity]) => [key, presentEntity(entity)]));
  const includedOf = await readIncluded({ table, now, ...limits }, include, [...entities.values()]);
  return (name: EntityName) => {
    const entity = entities.get(targetKey(name));
    return entity && { ...showEntity(entity), ...includedOf(entity) };
  };
}

function positionOf({ entity, score, value }: HitPosition, lenient: boolean): JsonValue {
  return {
    ...entity,
    lenient,
    ...(score !== undefined && { score }),
    ...(value !== undefined && { value }),
  };
}

function facetOutput(filters: readonly DeclaredFilter[]) {
  return ({ name, values, others }: Facet) => {
    const part = filters.find((one) => one.name === name)?.part;
    // A Decimal becomes a number when it is written as JSON.
    const shown = (key: string) =>
      (part === undefined ? key : valueOfKey(part, key)) as Exclude<ScalarValue, object>;
    return {
      name,
      values: values.map(({ value, count }) => ({ value: shown(value), count })),
      others,
    };
  };
}
