import { isDeepStrictEqual } from 'node:util';
import { partName } from '../values/part-values.ts';
import type { FilterDefinition, SearchPart } from '@engawa/model';

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
