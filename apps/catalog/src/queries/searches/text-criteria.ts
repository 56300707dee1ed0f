import { Problem } from '@engawa/errors';
import { KeyError } from '@engawa/keys';
import { isDeepStrictEqual } from 'node:util';
import { filterValue } from '../../values/filter-values.ts';
import { partName } from '../../values/part-values.ts';
import { filterKey } from '../../full-text/filter-keys.ts';
import { parsePartValue } from '../../values/parse-part-value.ts';
import { invalidQuery } from '../../values/invalid-request.ts';
import type { FieldError } from '@engawa/errors';
import type { EntityType, FilterDefinition, SearchPart } from '@engawa/model';
import type { HitOrder, ValueFilter } from '../../full-text/text-index.ts';

/** Parameters of the full-text search. */
export interface CriteriaParameters {
  q?: string | undefined;
  filter?: readonly string[] | undefined;
  order?: string | undefined;
  facet?: readonly string[] | undefined;
  timeZone: string;
}

/** Parsed criteria for the full-text index. */
export interface Criteria {
  filters: ValueFilter[];
  order: HitOrder | undefined;
  facets: SearchPart[];
}

/** `name`, or `name`, operator and value; names with these characters, or a leading `-`, are percent-encoded. */
const filterPattern = /^(?<name>[^=<>]+)(?:(?<operator>>=|<=|=|>|<)(?<text>.*))?$/su;
const filterOperators: Record<string, ValueFilter['is']> = {
  '=': 'oneOf',
  '>': 'above',
  '>=': 'atLeast',
  '<': 'below',
  '<=': 'atMost',
};

/**
 * Parses the parameters, each value as the attribute or relation of its filter.
 * @throws Problem `invalid-request` with all errors, `search-building` where a filter is not built yet
 */
export function parseCriteria(types: readonly EntityType[], texts: CriteriaParameters): Criteria {
  const { q, filter = [], order, facet = [] } = texts;
  const fieldErrors: FieldError[] = [];
  const reader = new FilterReader(types, { fieldErrors, timeZone: texts.timeZone });
  const filters = filter.flatMap((text, index) => reader.filter(text, `query.filter[${index}]`));
  const ordered = order === undefined ? undefined : reader.order(order);
  const facets = facet.flatMap(
    (name, index) => reader.part(name, `query.facet[${index}]`)?.part ?? [],
  );
  if (q === undefined) fieldErrors.push(...unlistedErrors(types));
  if (fieldErrors.length > 0) throw invalidQuery(fieldErrors);
  const usedNames = [...filters.map(({ name }) => name), ...(ordered ? [ordered.name] : [])];
  for (const type of types) refuseUnbuilt(type, [...usedNames, ...facets.map(partName)], q);
  return { filters: merged(filters), order: ordered, facets };
}

class FilterReader {
  readonly #types: readonly EntityType[];
  readonly #fieldErrors: FieldError[];
  readonly #timeZone: string;

  constructor(
    types: readonly EntityType[],
    given: { fieldErrors: FieldError[]; timeZone: string },
  ) {
    this.#types = types;
    this.#fieldErrors = given.fieldErrors;
    this.#timeZone = given.timeZone;
  }

  filter(text: string, field: string): ValueFilter[] {
    const { name, operator, text: given = '' } = filterPattern.exec(text)?.groups ?? {};
    if (name === undefined) return this.#refuse(field, 'must begin with a name');
    const found = this.part(name, field);
    if (found === undefined) return [];
    if (operator === undefined) return [{ name: found.name, is: 'present', values: [] }];
    try {
      const value = filterKey(
        filterValue(found.part, parsePartValue(found.part, field, given, this.#timeZone)),
      );
      return [{ name: found.name, is: filterOperators[operator] ?? 'oneOf', values: [value] }];
    } catch (error) {
      if (!(error instanceof KeyError)) throw error;
      return this.#refuse(field, error.reason);
    }
  }

  order(text: string): HitOrder | undefined {
    const descending = text.startsWith('-');
    const found = this.part(descending ? text.slice(1) : text, 'query.order');
    return found && { name: found.name, descending };
  }

  /** The filter with that name, which must be declared identically in all types. */
  part(encoded: string, field: string): { name: string; part: SearchPart } | undefined {
    const name = decoded(encoded);
    if (name === undefined) return void this.#refuse(field, 'must be percent-encoded UTF-8');
    const parts = this.#types.map((type) => {
      const part = filterOf(type, name);
      if (part === undefined) this.#refuse(field, `must be a filter of ${type.name}`);
      return part && partOf(part);
    });
    const [part] = parts;
    if (part === undefined || parts.includes(undefined)) return undefined;
    if (parts.every((other) => isDeepStrictEqual(other, part))) return { name, part };
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

/** Canonical form: several values of one name become one filter; sorted by names and values. */
function merged(filters: readonly ValueFilter[]): ValueFilter[] {
  const all = new Map<string, ValueFilter>();
  for (const { name, is, values } of filters) {
    const key = JSON.stringify(is === 'oneOf' ? [name, is] : [name, is, values]);
    const known = all.get(key)?.values ?? [];
    all.set(key, { name, is, values: [...new Set([...known, ...values])].toSorted() });
  }
  return [...all]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([, filter]) => filter);
}
