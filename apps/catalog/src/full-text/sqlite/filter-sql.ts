import { comparedWith } from '../text-index.ts';
import { joined, raw, sql } from './sql.ts';
import type { FilterName, ValueFilter } from '../text-index.ts';
import type { Sql } from './sql.ts';
import type { ValueColumns } from './value-columns.ts';

export interface FilterContext {
  columns: ValueColumns;
}

const operators = { above: raw('>'), atLeast: raw('>='), below: raw('<'), atMost: raw('<=') };

/** The condition of a filter; NULL is false. */
export function filterSql(
  filter: ValueFilter,
  types: readonly string[],
  context: FilterContext,
): Sql {
  const { is, values } = filter;
  const value = valueSql(filter, types, context);
  const oneOf = sql`IN (${values})`;
  switch (is) {
    case 'present':
      return sql`${value} IS NOT NULL`;
    case 'absent':
      return sql`${value} IS NULL`;
    case 'oneOf':
      return anyOf(filter, value, oneOf);
    case 'oneOfOrAbsent':
      return sql`coalesce(${anyOf(filter, value, oneOf)}, 1)`;
    case 'noneOf':
      return sql`coalesce(NOT ${anyOf(filter, value, oneOf)}, 1)`;
    default:
      return anyOf(filter, value, sql`${operators[is]} ${comparedWith(filter)}`);
  }
}

/** Whether the value, or a member of the set, meets the comparison; NULL without a value. */
function anyOf({ isSet }: FilterName, value: Sql, comparison: Sql): Sql {
  if (!isSet) return sql`(${value} ${comparison})`;
  return sql`(SELECT max(json_each.value ${comparison}) FROM json_each(${value}))`;
}

/** The column of a filter; a CASE by type where types have it in different columns. */
export function valueSql(
  filter: FilterName,
  types: readonly string[],
  { columns }: FilterContext,
): Sql {
  const places = types.flatMap((type) => {
    const column = columns.of(type, filter);
    return column === undefined ? [] : [{ type, column: raw(`entities.${column}`) }];
  });
  const [first] = places;
  if (first === undefined) return raw('NULL');
  if (types.length === 1) return first.column;
  const cases = places.map(({ type, column }) => sql`WHEN ${type} THEN ${column}`);
  return sql`CASE entities.type ${joined(cases, ' ')} END`;
}
