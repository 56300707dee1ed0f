import type { ValueFilter } from '../text-index.ts';

/** The field of nested documents: one for each value of an entity. */
export const path = 'values';

const bounds = { above: 'gt', atLeast: 'gte', below: 'lt', atMost: 'lte' } as const;

/** The clause for entities with a value of this name that meets the filter. */
export function filterClause({ name, is, values }: ValueFilter): object {
  return {
    nested: { path, query: { bool: { filter: [isNamed(name), ...keyClauses(is, values)] } } },
  };
}

export function isNamed(name: string): object {
  return { term: { [`${path}.name`]: name } };
}

function keyClauses(is: ValueFilter['is'], values: readonly string[]): object[] {
  const field = `${path}.key`;
  if (is === 'present') return [];
  if (is === 'oneOf') return [{ terms: { [field]: values } }];
  return [{ range: { [field]: { [bounds[is]]: values[0] ?? '' } } }];
}
