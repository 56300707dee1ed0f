import { matchExpression } from './match-expression.ts';
import { joined, raw, sql } from './sql.ts';
import type { HitOrder, HitPosition, TextCriteria, ValueFilter } from '../text-index.ts';
import type { QueryWord } from '../words.ts';
import type { Sql } from './sql.ts';
import type { TextSearch } from './text-messages.ts';
import type { ValueColumns } from './value-columns.ts';

export interface SqlContext {
  columns: ValueColumns;
  /** Index words that match a fuzzy word. */
  similarTo: (word: QueryWord) => readonly string[];
}

const operators = { above: raw('>'), atLeast: raw('>='), below: raw('<'), atMost: raw('<=') };

/** One page of hits: `type`, `id`, and `place`, the score or value that they are sorted by. */
export function pageSql(search: TextSearch, context: SqlContext): Sql {
  const { order, after, limit, types } = search;
  const isRanked = order === undefined && search.words.length > 0;
  const ranked = isRanked ? raw('bm25(texts)') : raw('NULL');
  const place = order === undefined ? ranked : valueSql(order.name, types, context);
  const behind = after === undefined ? raw('') : sql` WHERE ${behindSql(search, after)}`;
  return sql`SELECT type, id, place FROM (
      SELECT entities.type AS type, entities.id AS id, ${place} AS place ${hitsSql(search, context)}
    )${behind} ORDER BY ${orderSql(order, isRanked)} LIMIT ${limit}`;
}

/** The number of hits. */
export function totalSql(criteria: TextCriteria, context: SqlContext): Sql {
  return sql`SELECT count(*) ${hitsSql(criteria, context)}`;
}

/** The values of these names for each hit. */
export function valuesSql(
  names: readonly string[],
  criteria: TextCriteria,
  context: SqlContext,
): Sql {
  const values = names.map((name) => valueSql(name, criteria.types, context));
  return sql`SELECT ${joined(values, ', ')} ${hitsSql(criteria, context)}`;
}

/** The SQL from `FROM` on, for the hits of all pages. `CROSS JOIN` makes SQLite search the words first. */
function hitsSql({ words, lenient, types, filters }: TextCriteria, context: SqlContext): Sql {
  const similarTo = (word: QueryWord) => (lenient && word.fuzzy ? context.similarTo(word) : []);
  const from =
    words.length === 0
      ? raw('FROM entities WHERE check_cancelled()')
      : sql`FROM texts CROSS JOIN entities ON entities.number = texts.rowid
          WHERE texts MATCH ${matchExpression(words, similarTo)} AND check_cancelled()`;
  const typeConditions = types.length === 0 ? [] : [sql`entities.type IN (${types})`];
  return joined(
    [from, ...typeConditions, ...filters.map((filter) => filterSql(filter, types, context))],
    ' AND ',
  );
}

function filterSql(
  { name, is, values }: ValueFilter,
  types: readonly string[],
  context: SqlContext,
): Sql {
  const value = valueSql(name, types, context);
  if (is === 'present') return sql`${value} IS NOT NULL`;
  if (is === 'oneOf') return sql`${value} IN (${values})`;
  return sql`${value} ${operators[is]} ${values[0] ?? ''}`;
}

/** The column of a name; a CASE by type where types have it in different columns. */
function valueSql(name: string, types: readonly string[], { columns }: SqlContext): Sql {
  const places = types.flatMap((type) => {
    const column = columns.of(type, name);
    return column === undefined ? [] : [{ type, column: raw(`entities.${column}`) }];
  });
  const [first] = places;
  if (first === undefined) return raw('NULL');
  if (types.length === 1) return first.column;
  const cases = places.map(({ type, column }) => sql`WHEN ${type} THEN ${column}`);
  return sql`CASE entities.type ${joined(cases, ' ')} END`;
}

function orderSql(order: HitOrder | undefined, isRanked: boolean): Sql {
  if (order === undefined) return raw(isRanked ? 'place, type, id' : 'type, id');
  return raw(`place IS NULL, place ${order.descending ? 'DESC' : 'ASC'}, type, id`);
}

/** The condition for hits after a position, in the order of `orderSql`. */
function behindSql({ order, words }: TextSearch, { entity, score, value }: HitPosition): Sql {
  const next = sql`(type, id) > (${entity.type}, ${entity.id})`;
  if (order === undefined) {
    const place = score ?? 0;
    return words.length === 0 ? next : sql`(place > ${place} OR (place = ${place} AND ${next}))`;
  }
  if (typeof value !== 'string') return sql`place IS NULL AND ${next}`;
  const comparison = raw(order.descending ? '<' : '>');
  return sql`(place ${comparison} ${value} OR place IS NULL OR (place = ${value} AND ${next}))`;
}
