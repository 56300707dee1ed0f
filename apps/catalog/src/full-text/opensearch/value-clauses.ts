import type { ValueFilter } from '../text-index.ts';

/** The nested documents of an entity: one for each of its values. */
export const path = 'values';

const bounds = { above: 'gt', atLeast: 'gte', below: 'lt', atMost: 'lte' } as const;

/** That an entity has a value of this name, and that it is as the filter says. */
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
