import { isDeepStrictEqual } from 'node:util';
import { partName } from '../values/part-values.ts';
import type { FieldError } from '@engawa/errors';
import type { FilterDefinition, SearchPart } from '@engawa/model';
import type { TypeBody } from './check/type-schemas.ts';

type Filters = readonly FilterDefinition[] | undefined;

/** The filters of a declaration: unchanged ones keep their layout, others are available once layout `next` is built. */
export function filtersWithLayout(
  { filters = [] }: { filters?: readonly SearchPart[] },
  before: Filters,
  next: number,
): { filters: readonly FilterDefinition[] | undefined } {
  if (filters.length === 0) return { filters: undefined };
  return {
    filters: filters.map((part) => {
      const known = before?.find((filter) => partName(filter) === partName(part));
      const same = { ...part, layout: known?.layout ?? next };
      return isDeepStrictEqual(same, known) ? same : { ...part, layout: next };
    }),
  };
}

/** Whether both give an entity the same values in the index, regardless of their order. */
export function haveSameFilters(left: Filters, right: Filters): boolean {
  return isDeepStrictEqual(byName(left), byName(right));
}

function byName(filters: Filters = []): Map<string, FilterDefinition> {
  return new Map(filters.map((filter) => [partName(filter), filter]));
}

/** A set cannot be a filter, since hits are sorted by one value. */
export function setErrors({
  attributes,
  filters,
}: Pick<TypeBody, 'attributes' | 'filters'>): FieldError[] {
  const sets = new Set(attributes.flatMap(({ name, kind }) => (kind === 'set' ? [name] : [])));
  return filters.flatMap(({ attribute }, index) => {
    if (attribute === undefined || !sets.has(attribute)) return [];
    return [{ path: `body.filters[${index}].attribute`, message: 'must not be a set' }];
  });
}
