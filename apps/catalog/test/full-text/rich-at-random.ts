import { until } from '@engawa/testing';
import fc from 'fast-check';
import {
  bodyOf,
  expectedFacet,
  expectedHits,
  filterKinds,
  filterNames,
  operators,
  parametersOf,
  richType,
} from './rich-oracle.ts';
import type { Replica } from './replica.ts';
import type { FilterName, RichEntity, RichFilter, RichQuery } from './rich-oracle.ts';

const long = 'a'.repeat(511);
const digits = '1234567890123456789012345678901234567';
/** Few texts, so that many values are equal; among them texts that are special in engines, keys and languages. */
const valuesOf: Record<FilterName, readonly string[]> = {
  genre: ['rock', 'Rock', 'pop', '', ' ', 'a#b', '\ue000', '😀', 'null', `${long}b`, `${long}bc`],
  'title <名>': ['lamp', 'Lamp hall', 'ＬＡＭＰ', 'lampshade', 'hall', 'lamp brass hall', ''],
  'size=%2': [
    '0',
    '1',
    '-1',
    '1.5',
    '-1.25',
    '-1.2',
    '1977',
    `${digits}8`,
    `${digits}9`,
    '0.0000001',
  ],
  '-live': ['true', 'false'],
  at: ['2026-03-01T00:00:00Z', '2026-03-01T09:00:00+09:00', '1969-12-31T23:59:59.999Z'],
  artist: ['x', 'y', 'ü/#'],
  '!tags!': [
    'cat',
    'CAT',
    'ｃａｔ',
    'dog',
    '"];[',
    '\ue000',
    '😀',
    ' ',
    'null',
    'İ',
    `${long.slice(1)}é`,
  ],
  'years<=': ['0', '-1', '1.5', '1977', `${digits}8`, `${digits}9`],
};
const isSet = (name: FilterName) => ['set', 'numbers'].includes(filterKinds[name]);
const scalars = filterNames.filter((name) => !isSet(name));
const words = ['lamp', 'la', 'hall', 'hall lamp', 'brass', 'lampshade hall', 'none'];
const types = ['Album', 'Song'];

export const manyEntities = fc.uniqueArray(
  fc.record({
    type: fc.constantFrom(...types),
    id: fc.integer({ min: 1, max: 99 }).map((number) => `e${number}`),
    values: fc
      .tuple(...filterNames.map((name) => fc.option(valueOf(name))))
      .map((values) => valuesFrom(values)),
  }),
  { selector: ({ type, id }) => `${type} ${id}`, minLength: 60, maxLength: 60 },
);

function valueOf(name: FilterName): fc.Arbitrary<readonly string[]> {
  if (isSet(name)) return fc.subarray([...valuesOf[name]]);
  return fc.constantFrom(...valuesOf[name]).map((value) => [value]);
}

function valuesFrom(
  values: readonly (readonly string[] | null)[],
): ReadonlyMap<FilterName, readonly string[]> {
  const given = filterNames.map((name, index) => [name, values[index] ?? []] as const);
  return new Map(given.filter(([, value]) => value.length > 0));
}

const filter: fc.Arbitrary<RichFilter> = fc.constantFrom(...filterNames).chain((name) => {
  const isTwofold = filterKinds[name] === 'boolean';
  const value = fc.constantFrom(...valuesOf[name]);
  const operator = fc.constantFrom(...(isTwofold ? (['=', '!='] as const) : operators));
  return fc.record({
    name: fc.constant(name),
    is: fc.oneof(
      { arbitrary: fc.record({ operator, value }), weight: 4 },
      { arbitrary: fc.constantFrom('absent' as const, undefined), weight: 1 },
    ),
  });
});

export const anyQuestion: fc.Arbitrary<RichQuery> = fc.record({
  q: fc.option(fc.constantFrom(...words), { nil: undefined }),
  types: fc.subarray(types, { minLength: 1 }),
  filters: fc.array(filter, { maxLength: 4 }),
  order: fc.option(fc.record({ name: fc.constantFrom(...scalars), descending: fc.boolean() }), {
    nil: undefined,
  }),
  facets: fc.subarray(filterNames, { maxLength: 3 }),
  multiSelect: fc.boolean(),
});

export async function declareRich(replica: Replica): Promise<void> {
  for (const type of types) await putOf(replica, `types/${type}`, richType);
  await putOf(replica, 'types/Artist', {});
  for (const id of valuesOf.artist) {
    await putOf(replica, `entities/Artist/${encodeURIComponent(id)}`, {});
  }
}

export function storeRich(replica: Replica, entity: RichEntity): Promise<void> {
  return putOf(replica, `entities/${entity.type}/${entity.id}`, bodyOf(entity));
}

async function putOf(replica: Replica, path: string, body: object): Promise<void> {
  const answer = await replica.ask(`/v1/${path}`, { method: 'PUT', body });
  if (answer.status > 201) throw new Error(JSON.stringify(answer.body));
}

/** Resolves when a replica finds the text that was written last. */
export async function untilFollowed(replicas: readonly Replica[], mark: string): Promise<void> {
  const [first] = replicas;
  if (first === undefined) return;
  await storeRich(first, { type: 'Song', id: 'mark', values: new Map([['genre', [mark]]]) });
  for (const replica of replicas) {
    await until('the last change to be found', async () => {
      const { status, body } = await replica.ask(`/v1/search?type=Song&filter=genre=${mark}`);
      return status === 200 && (body as { items: unknown[] }).items.length === 1;
    });
  }
  await first.ask('/v1/entities/Song/mark', { method: 'DELETE' });
  for (const replica of replicas) {
    await until('the deletion to be indexed', async () => {
      const { body } = await replica.ask(`/v1/search?type=Song&filter=genre=${mark}`);
      return (body as { items: unknown[] }).items.length === 0;
    });
  }
}

interface RichPage {
  items: { type: string; id: string }[];
  cursor?: string;
  total: number;
  facets?: { name: string; values: unknown[]; others: number }[];
}

/** Expects all pages of a query to be those of the oracle. */
export async function checkQuestion(
  replica: Replica,
  question: RichQuery,
  { entities, limit }: { entities: readonly RichEntity[]; limit: number },
): Promise<void> {
  const expected = expectedHits(entities, question);
  const names = (hits: readonly { type: string; id: string }[]) =>
    hits.map(({ type, id }) => `${type} ${id}`);
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const parameters = new URLSearchParams([
      ...parametersOf(question),
      ['total', 'true'],
      ['limit', String(limit)],
      ...(cursor === undefined ? [] : [['cursor', cursor] as [string, string]]),
    ]);
    const { status, body } = await replica.ask(`/v1/search?${parameters.toString()}`);
    expect([status, body]).toEqual([200, expect.anything()]);
    const page = body as RichPage;
    expect(page.total).toBe(expected.length);
    const facets = question.facets.map((name) => ({
      name,
      values: expectedFacet(entities, question, name),
      others: 0,
    }));
    expect(page.facets ?? []).toEqual(facets);
    found.push(...names(page.items));
    cursor = page.cursor;
    expect(found.length).toBeLessThanOrEqual(expected.length);
  } while (cursor !== undefined);
  // The order by relevance differs between engines.
  const isRanked = question.q !== undefined && question.order === undefined;
  expect(isRanked ? found.toSorted() : found).toEqual(
    isRanked ? names(expected).toSorted() : names(expected),
  );
}
