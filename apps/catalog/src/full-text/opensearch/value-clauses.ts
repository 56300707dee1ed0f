import { comparedWith } from '../text-index.ts';
import type { ValueFilter } from '../text-index.ts';

/** The field of nested documents: one for each filter of an entity that has a value; a set has several keys. */
export const path = 'values';
const field = `${path}.key`;

const bounds = { above: 'gt', atLeast: 'gte', below: 'lt', atMost: 'lte' } as const;

/** The clause for entities that meet the filter. */
export function filterClause(filter: ValueFilter): object {
  const { name, is, values } = filter;
  const absent = without(has(name));
  switch (is) {
    case 'present':
      return has(name);
    case 'absent':
      return absent;
    case 'oneOf':
      return has(name, oneOf(values));
    case 'oneOfOrAbsent':
      return { bool: { should: [has(name, oneOf(values)), absent], minimum_should_match: 1 } };
    case 'noneOf':
      return without(has(name, oneOf(values)));
    default:
      return has(name, { range: { [field]: { [bounds[is]]: comparedWith(filter) } } });
  }
}

/** The clause for entities with a value of this name, which meets the clauses. */
function has(name: string, ...clauses: object[]): object {
  return { nested: { path, query: { bool: { filter: [isNamed(name), ...clauses] } } } };
}

function without(clause: object): object {
  return { bool: { must_not: [clause] } };
}

function oneOf(values: readonly string[]): object {
  return { terms: { [field]: values } };
}

export function isNamed(name: string): object {
  return { term: { [`${path}.name`]: name } };
}
