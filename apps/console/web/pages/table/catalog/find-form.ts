import type { catalog } from '@engawa/client';

export type EntityType = catalog.EntityType;
type Search = EntityType['searches'][number];
type SearchPart = Search['parts'][number];

/** A way to find entities, as the declaration of a type has it. */
export type Finder =
  | { kind: 'list'; id: 'list' }
  | { kind: 'text'; id: 'text'; parts: Part[]; hasWords: boolean }
  | { kind: 'search'; id: string; name: string; parts: Part[]; isBuilding: boolean }
  | RankingFinder;

interface RankingFinder {
  kind: 'ranking';
  id: string;
  name: string;
  within: string | undefined;
  /** The length of its periods, of a ranking per period. */
  period: PeriodLength | undefined;
  isBuilding: boolean;
}

export type PeriodLength = NonNullable<EntityType['rankings'][number]['period']>['length'];

export type PartKind = 'text' | 'number' | 'instant' | 'boolean' | 'id';

/** A part of a search, or a filter: one row of the form. */
export interface Part {
  name: string;
  kind: PartKind;
  operators: readonly Operator[];
}

export const operators = ['any', 'eq', 'prefix', 'range'] as const;
export type Operator = (typeof operators)[number];

/** The conditions that a part of a search can have: a prefix of texts, a range of everything that is ordered. */
const operatorsOf: Readonly<Record<PartKind, readonly Operator[]>> = {
  text: ['any', 'eq', 'prefix', 'range'],
  number: ['any', 'eq', 'range'],
  instant: ['any', 'eq', 'range'],
  boolean: ['any', 'eq'],
  id: ['any', 'eq', 'prefix'],
};

/** All ways to find entities of a type. */
export function findersOf({ searches, rankings, fullText, filters }: EntityType): Finder[] {
  const finders: Finder[] = [{ kind: 'list', id: 'list' }];
  for (const { name, parts, state } of searches) {
    finders.push({
      ...{ kind: 'search', id: `search:${name}`, name },
      parts: parts.map(partOf),
      isBuilding: state === 'building',
    });
  }
  for (const { name, within, period, state } of rankings) {
    finders.push({
      ...{ kind: 'ranking', id: `ranking:${name}`, name, within, period: period?.length },
      isBuilding: state === 'building',
    });
  }
  if (fullText.length > 0 || filters.length > 0) {
    const parts = filters.map((filter): Part => {
      const part = partOf(filter);
      return { ...part, operators: part.operators.filter((one) => one !== 'prefix') };
    });
    finders.push({ kind: 'text', id: 'text', parts, hasWords: fullText.length > 0 });
  }
  return finders;
}

function partOf(part: SearchPart): Part {
  if ('relation' in part) return { name: part.relation, kind: 'id', operators: operatorsOf.id };
  const kind = part.as === 'collated' ? 'text' : part.as;
  return { name: part.attribute, kind, operators: operatorsOf[kind] };
}

/** What the form has for a part. */
export interface Condition {
  operator: Operator;
  value: string;
  /** The upper end of a range. */
  to: string;
}

export const noCondition: Condition = { operator: 'any', value: '', to: '' };

/** Whether a part of a search can have a condition: all parts before it have to be compared for equality. */
export function isUsable(conditions: readonly Condition[], at: number): boolean {
  return conditions.slice(0, at).every(({ operator, value }) => operator === 'eq' && value !== '');
}

export interface SearchInput {
  eq?: string[];
  prefix?: string;
  from?: string;
  to?: string;
}

/** The parameters of a search; empty values are no conditions. */
export function searchInput(conditions: readonly Condition[]): SearchInput {
  const input: SearchInput = {};
  conditions.forEach(({ operator, value, to }, at) => {
    if (!isUsable(conditions, at)) return;
    if (operator === 'eq' && value !== '') input.eq = [...(input.eq ?? []), value];
    if (operator === 'prefix' && value !== '') input.prefix = value;
    if (operator !== 'range') return;
    if (value !== '') input.from = value;
    if (to !== '') input.to = to;
  });
  return input;
}

/** The filters of a full-text search. Names are percent-encoded, since they may contain operators; values not. */
export function filterInput(parts: readonly Part[], conditions: readonly Condition[]): string[] {
  return parts.flatMap(({ name }, at) => {
    const { operator, value, to } = conditions[at] ?? noCondition;
    const filter = (comparison: string, given: string): string[] =>
      given === ''
        ? []
        : [`${encodeURIComponent(name).replaceAll('!', '%21')}${comparison}${given}`];
    if (operator === 'eq') return filter('=', value);
    return operator === 'range' ? [...filter('>=', value), ...filter('<=', to)] : [];
  });
}
