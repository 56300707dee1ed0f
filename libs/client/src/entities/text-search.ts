import { includeInput } from './include-input.ts';
import type { SearchTextsInput } from '../generated/catalog.ts';
import type { FilterCondition } from './text-search-types.ts';

/** A text search of a type, with the types of its declaration erased. */
interface AnyTextSearch {
  q?: string;
  filters?: object;
  orderBy?: string | undefined;
  order?: 'ascending' | 'descending' | undefined;
  facets?: readonly string[];
  multiSelect?: boolean;
  include?: object | undefined;
  timeZone?: string;
  whole?: boolean;
  limit?: number;
}

const operators = {
  ...{ equals: '=', oneOf: '=', noneOf: '!=' },
  ...{ above: '>', atLeast: '>=', below: '<', atMost: '<=' },
} as const;

/** The parameters of the request. @throws TypeError for a condition that no filter can express */
export function textSearchInput(
  type: string,
  { filters = {}, orderBy, order, facets, include, ...asked }: AnyTextSearch,
): SearchTextsInput {
  const filter = Object.entries(filters).flatMap(([name, condition]) =>
    filtersOf(name, condition as FilterCondition<unknown> | undefined),
  );
  return {
    ...asked,
    type: [type],
    ...includeInput(include),
    ...(filter.length > 0 && { filter }),
    ...(orderBy !== undefined && {
      order: `${order === 'descending' ? '-' : ''}${encodedName(orderBy)}`,
    }),
    ...(facets !== undefined && { facet: facets.map(encodedName) }),
  };
}

function filtersOf(name: string, condition: FilterCondition<unknown> = {}): string[] {
  const { exists, ...comparisons } = condition;
  const encoded = encodedName(name);
  const compared = Object.entries(comparisons).flatMap(([key, given]: [string, unknown]) => {
    const operator = operators[key as keyof typeof operators] as string | undefined;
    if (operator === undefined) throw new TypeError(`${name} has no condition ${key}`);
    if (given === undefined) return [];
    const values: unknown[] = Array.isArray(given) ? given : [given];
    // Without a filter, everything would match instead of nothing.
    if (values.length === 0) throw new TypeError(`${key} of ${name} must have a value`);
    return values.map((value) => `${encoded}${operator}${textOf(value)}`);
  });
  const presence = exists === undefined ? [] : [exists ? encoded : `!${encoded}`];
  return [...presence, ...compared];
}

/** Characters that a filter has between name and value, or around the name, and the minus of a descending order. */
function encodedName(name: string): string {
  return name.replaceAll(/[=<>%]|^[-!]|!$/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}
