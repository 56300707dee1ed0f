import { Problem } from '@engawa/errors';
import { KeyError } from '@engawa/keys';
import { isDeepStrictEqual } from 'node:util';
import { filterValue } from '../../values/filter-values.ts';
import { partName, setPart } from '../../values/part-values.ts';
import { filterKey } from '../../full-text/filter-keys.ts';
import { parsePartValue } from '../../values/parse-part-value.ts';
import { invalidQuery } from '../../values/invalid-request.ts';
import type { FieldError } from '@engawa/errors';
import type { PartTimes } from '../../values/parse-part-value.ts';
import type { EntityType, FilterDefinition, SearchPart } from '@engawa/model';
import type { FilterName, HitOrder, ValueFilter } from '../../full-text/text-index.ts';

/** Parameters of the full-text search. */
export interface CriteriaParameters {
  q?: string | undefined;
  filter?: readonly string[] | undefined;
  order?: string | undefined;
  facet?: readonly string[] | undefined;
}

/** Parsed criteria for the full-text index. */
export interface Criteria {
  filters: ValueFilter[];
  order: HitOrder | undefined;
  facets: DeclaredFilter[];
}

/** A filter that all types of a search declare alike. */
export interface DeclaredFilter extends FilterName {
  part: SearchPart;
}

/** `name`, `!name`, or `name`, operator and value; names with these characters are percent-encoded. */
const filterPattern = /^(?<name>[^=<>]+?)(?:(?<operator>!=|>=|<=|=|>|<)(?<text>.*))?$/su;
const filterOperators = new Map<string, ValueFilter['is']>([
  ['=', 'oneOf'],
  ['!=', 'noneOf'],
  ['>', 'above'],
  ['>=', 'atLeast'],
  ['<', 'below'],
  ['<=', 'atMost'],
]);

/**
 * Parses the parameters, each value as the attribute or relation of its filter.
 * @throws Problem `invalid-request` with all errors, `search-building` where a filter is not built yet
 */
export function parseCriteria(
  types: readonly EntityType[],
  texts: CriteriaParameters,
  times: PartTimes,
): Criteria {
  const { q, filter = [], order, facet = [] } = texts;
  const fieldErrors: FieldError[] = [];
  const reader = new FilterReader(types, { fieldErrors, times });
  const filters = filter.flatMap((text, index) => reader.filter(text, `query.filter[${index}]`));
  const ordered = order === undefined ? undefined : reader.order(order);
  const facets = facet.flatMap(
    (name, index) => reader.declared(name, `query.facet[${index}]`) ?? [],
  );
  if (q === undefined) fieldErrors.push(...unlistedErrors(types));
  if (fieldErrors.length > 0) throw invalidQuery(fieldErrors);
  const usedNames = [...filters.map(({ name }) => name), ...(ordered ? [ordered.name] : [])];
  for (const type of types)
    refuseUnbuilt(type, [...usedNames, ...facets.map(({ name }) => name)], q);
  return { filters: merged(filters), order: ordered, facets };
}

class FilterReader {
  readonly #types: readonly EntityType[];
  readonly #fieldErrors: FieldError[];
  readonly #times: PartTimes;

  constructor(
    types: readonly EntityType[],
    given: { fieldErrors: FieldError[]; times: PartTimes },
  ) {
    this.#types = types;
    this.#fieldErrors = given.fieldErrors;
    this.#times = given.times;
  }

  filter(text: string, field: string): ValueFilter[] {
    const { name, operator, text: given = '' } = filterPattern.exec(text)?.groups ?? {};
    if (name === undefined) return this.#refuse(field, 'must begin with a name');
    const isAbsent = operator === undefined && name.startsWith('!');
    const found = this.declared(isAbsent ? name.slice(1) : name, field);
    if (found === undefined) return [];
    const { part, ...filter } = found;
    const is = operator === undefined ? undefined : filterOperators.get(operator);
    if (is === undefined) {
      return [{ ...filter, is: isAbsent ? 'absent' : 'present', values: [] }];
    }
    try {
      const value = filterValue(part, parsePartValue(part, field, given, this.#times));
      return [{ ...filter, is, values: [filterKey(value)] }];
    } catch (error) {
      if (!(error instanceof KeyError)) throw error;
      return this.#refuse(field, error.reason);
    }
  }

  order(text: string): HitOrder | undefined {
    const descending = text.startsWith('-');
    const found = this.declared(descending ? text.slice(1) : text, 'query.order');
    if (found?.isSet !== true) return found && { name: found.name, descending };
    return void this.#refuse('query.order', 'must not be a set: an entity may have several values');
  }

  /** The filter with that name, which must be declared identically in all types. */
  declared(encoded: string, field: string): DeclaredFilter | undefined {
    const name = decoded(encoded);
    if (name === undefined) return void this.#refuse(field, 'must be percent-encoded UTF-8');
    const all = this.#types.map((type) => {
      const filter = filterOf(type, name);
      if (filter === undefined) return void this.#refuse(field, `must be a filter of ${type.name}`);
      const part = partOf(filter);
      return { name, part, isSet: setPart(type, [part]) !== undefined };
    });
    const [first] = all;
    if (first === undefined || all.includes(undefined)) return undefined;
    if (all.every((other) => isDeepStrictEqual(other, first))) return first;
    return void this.#refuse(field, 'must be declared identically in all of the types');
  }

  #refuse(path: string, message: string): [] {
    this.#fieldErrors.push({ path, message });
    return [];
  }
}

function decoded(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded).normalize('NFC');
  } catch {
    return undefined;
  }
}

function filterOf({ filters = [] }: EntityType, name: string): FilterDefinition | undefined {
  return filters.find((filter) => partName(filter) === name);
}

function partOf(filter: FilterDefinition): SearchPart {
  return 'attribute' in filter
    ? { attribute: filter.attribute, as: filter.as }
    : { relation: filter.relation };
}

/** Errors for types without filters: only their entities with texts are in the index. */
function unlistedErrors(types: readonly EntityType[]): FieldError[] {
  return types
    .filter(({ filters = [] }) => filters.length === 0)
    .map(({ name }) => ({
      path: 'query.type',
      message: `must have filters if q is not given: ${name}`,
    }));
}

/** Once one filter is built, all entities of the type are in the index. */
function refuseUnbuilt(type: EntityType, names: readonly string[], q: string | undefined): void {
  const { built, filters = [] } = type;
  const desired = names.flatMap((name) => filterOf(type, name) ?? []);
  const isListed = q !== undefined || filters.some(({ layout }) => layout <= built);
  const missing =
    desired.find(({ layout }) => layout > built) ?? (isListed ? undefined : filters[0]);
  if (missing === undefined) return;
  const name = JSON.stringify(partName(missing));
  const detail = `The filter ${name} of ${type.name} is being built from the existing entities.`;
  throw new Problem('search-building', detail);
}

/** Alternatives of one name are one filter; so are values that are excluded. */
const alternatives: ReadonlySet<ValueFilter['is']> = new Set(['oneOf', 'absent', 'oneOfOrAbsent']);

/** Canonical form: several values of one name become one filter; sorted by names and values. */
function merged(filters: readonly ValueFilter[]): ValueFilter[] {
  const all = new Map<string, ValueFilter>();
  for (const filter of filters) {
    const { name, is, values } = filter;
    const isAlternative = alternatives.has(is);
    const isMerged = isAlternative || is === 'noneOf';
    const key = JSON.stringify([name, isAlternative ? 'oneOf' : is, ...(isMerged ? [] : values)]);
    const known = all.get(key) ?? filter;
    all.set(key, {
      ...filter,
      is: known.is === is ? is : 'oneOfOrAbsent',
      values: [...new Set([...known.values, ...values])].toSorted(),
    });
  }
  return [...all]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([, filter]) => filter);
}
