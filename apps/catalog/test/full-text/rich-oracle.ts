import { collated, compareBytes } from '@engawa/keys';
import { Decimal } from '@engawa/model';

/** The filters of songs and albums. */
export const filterKinds = {
  genre: 'text',
  'title <名>': 'collated',
  'size=%2': 'number',
  '-live': 'boolean',
  at: 'instant',
  artist: 'relation',
  '!tags!': 'set',
  'years<=': 'numbers',
} as const;
export type FilterName = keyof typeof filterKinds;
export const filterNames = Object.keys(filterKinds) as FilterName[];

export const richType = {
  attributes: [
    { name: 'genre', kind: 'text' },
    { name: 'title <名>', kind: 'text' },
    { name: 'size=%2', kind: 'number' },
    { name: '-live', kind: 'boolean' },
    { name: 'at', kind: 'instant' },
    { name: '!tags!', kind: 'set' },
    { name: 'years<=', kind: 'set', of: 'number' },
  ],
  relations: [{ name: 'artist', to: 'Artist' }],
  fullText: ['title <名>'],
  filters: [
    { attribute: 'genre' },
    { attribute: 'title <名>', as: 'collated' },
    { attribute: 'size=%2' },
    { attribute: '-live' },
    { attribute: 'at' },
    { relation: 'artist' },
    { attribute: '!tags!', as: 'collated' },
    { attribute: 'years<=' },
  ],
};

/** Values as in a query, by attribute: several of a set, otherwise one; absent without a value. */
export interface RichEntity {
  type: string;
  id: string;
  values: ReadonlyMap<FilterName, readonly string[]>;
}

export const operators = ['=', '!=', '>', '>=', '<', '<='] as const;

export interface RichFilter {
  name: FilterName;
  /** Undefined: any value. */
  is?: 'absent' | { operator: (typeof operators)[number]; value: string } | undefined;
}

export interface RichQuery {
  q?: string | undefined;
  types: readonly string[];
  filters: readonly RichFilter[];
  order?: { name: FilterName; descending: boolean } | undefined;
  facets: readonly FilterName[];
  multiSelect: boolean;
}

/** Compared bytes of a text. */
const maxBytes = 512;
const fractionDigits = 20;

export function bodyOf({ values }: RichEntity): object {
  const attributes: Record<string, unknown> = {};
  for (const [name, given] of values) {
    const kind = filterKinds[name];
    const [value = ''] = given;
    if (kind === 'set') attributes[name] = given;
    else if (kind === 'numbers') attributes[name] = given.map((one) => new Decimal(one));
    else if (kind === 'number') attributes[name] = new Decimal(value);
    else if (kind !== 'relation') attributes[name] = kind === 'boolean' ? value === 'true' : value;
  }
  const [artist] = values.get('artist') ?? [];
  return { attributes, relations: artist === undefined ? {} : { artist } };
}

export function parametersOf(question: RichQuery): [string, string][] {
  const { q, types, filters, order, facets, multiSelect } = question;
  const pairs: [string, string][] = types.map((type) => ['type', type]);
  if (q !== undefined) pairs.push(['q', q]);
  for (const { name, is } of filters) {
    if (is === 'absent') pairs.push(['filter', `!${encoded(name)}`]);
    else pairs.push(['filter', encoded(name) + (is === undefined ? '' : is.operator + is.value)]);
  }
  if (order !== undefined) {
    pairs.push(['order', (order.descending ? '-' : '') + encoded(order.name)]);
  }
  for (const name of facets) pairs.push(['facet', encoded(name)]);
  if (multiSelect) pairs.push(['multiSelect', 'true']);
  return pairs;
}

function encoded(name: string): string {
  return encodeURIComponent(name).replace(/^-/, '%2D').replaceAll('!', '%21');
}

/** All hits in order; by type and id where the order is by relevance. */
export function expectedHits(all: readonly RichEntity[], question: RichQuery): RichEntity[] {
  const { types, order } = question;
  return all
    .filter(({ type }) => types.includes(type))
    .filter((entity) => hasWords(entity, question.q) && holdsAll(entity, question.filters))
    .toSorted((left, right) => {
      const byName = compareBytes(left.type, right.type) || compareBytes(left.id, right.id);
      if (order === undefined) return byName;
      const [one, other] = [left, right].map(({ values }) => values.get(order.name)?.[0]);
      if (one === undefined || other === undefined) {
        return Number(one === undefined) - Number(other === undefined) || byName;
      }
      return (order.descending ? -1 : 1) * compare(order.name, one, other) || byName;
    });
}

export function expectedFacet(
  all: readonly RichEntity[],
  { filters, multiSelect, ...question }: RichQuery,
  name: FilterName,
) {
  const others = filters.filter((filter) => !multiSelect || filter.name !== name);
  const hits = expectedHits(all, { ...question, multiSelect, filters: others });
  const counts: { value: string; count: number }[] = [];
  for (const { values } of hits) {
    const given = values.get(name) ?? [];
    const distinct = given.filter((value, index) => {
      return given.findIndex((other) => compare(name, other, value) === 0) === index;
    });
    for (const value of distinct) {
      const same = counts.find((counted) => compare(name, counted.value, value) === 0);
      if (same === undefined) counts.push({ value, count: 1 });
      else same.count++;
    }
  }
  return counts
    .toSorted((left, right) => right.count - left.count || compare(name, left.value, right.value))
    .map(({ value, count }) => ({ value: shown(name, value), count }));
}

function hasWords({ values }: RichEntity, q: string | undefined): boolean {
  if (q === undefined) return true;
  const there = collated('title', values.get('title <名>')?.[0] ?? '').split(' ');
  const asked = q.split(' ');
  return asked.every((word, index) =>
    there.some((one) => (index === asked.length - 1 ? one.startsWith(word) : one === word)),
  );
}

function holdsAll({ values }: RichEntity, filters: readonly RichFilter[]): boolean {
  return filters.every(({ name, is }) => {
    const given = values.get(name) ?? [];
    if (is === undefined) return given.length > 0;
    const any = (holds: (order: number) => boolean, value: string) =>
      given.some((one) => holds(compare(name, one, value)));
    const equals = (value: string) => any((order) => order === 0, value);
    if (is === 'absent' || is.operator === '=') {
      const same = filters.filter((other) => other.name === name);
      return same.some(({ is: other }) => {
        if (other === 'absent') return given.length === 0;
        return other?.operator === '=' && equals(other.value);
      });
    }
    if (is.operator === '!=') return !equals(is.value);
    if (is.operator === '>') return any((order) => order > 0, is.value);
    if (is.operator === '>=') return any((order) => order >= 0, is.value);
    if (is.operator === '<') return any((order) => order < 0, is.value);
    return any((order) => order <= 0, is.value);
  });
}

function isNumber(name: FilterName): boolean {
  return filterKinds[name] === 'number' || filterKinds[name] === 'numbers';
}

function compare(name: FilterName, left: string, right: string): number {
  if (!isNumber(name)) return compareBytes(text(name, left), text(name, right));
  const difference = scaled(left) - scaled(right);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

function text(name: FilterName, value: string): string {
  const kind = filterKinds[name];
  if (kind === 'instant') return new Date(value).toISOString();
  // Long texts have only ASCII letters.
  return (kind === 'collated' || kind === 'set' ? collated('text', value) : value).slice(
    0,
    maxBytes,
  );
}

function scaled(literal: string): bigint {
  const [whole = '', fraction = ''] = literal.split('.');
  return BigInt(whole + fraction.padEnd(fractionDigits, '0'));
}

function shown(name: FilterName, value: string): unknown {
  const kind = filterKinds[name];
  if (isNumber(name)) return Number(value);
  return kind === 'boolean' ? value === 'true' : text(name, value);
}
