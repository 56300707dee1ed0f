import { splitFilters } from '../text-index.ts';
import { filterSql, valueSql } from './filter-sql.ts';
import { joined, raw, sql } from './sql.ts';
import type { FilterName, HitOrder, HitPosition, TextCriteria } from '../text-index.ts';
import type { QueryWord } from '../words.ts';
import type { Sql } from './sql.ts';
import type { TextSearch } from './text-messages.ts';
import type { FilterContext } from './filter-sql.ts';

export interface SqlContext extends FilterContext {
  /** Index words that match a fuzzy word. */
  similarTo: (word: QueryWord) => readonly string[];
}

/** One page of hits: `type`, `id`, and `place`, the score or value that they are sorted by. */
export function pageSql(search: TextSearch, context: SqlContext): Sql {
  const { order, after, limit, types } = search;
  const isRanked = order === undefined && search.words.length > 0;
  const ranked = isRanked ? raw('bm25(texts)') : raw('NULL');
  const orderedBy = order && { name: order.name, isSet: false };
  const place = orderedBy === undefined ? ranked : valueSql(orderedBy, types, context);
  const behind = after === undefined ? raw('') : sql` WHERE ${behindSql(search, after)}`;
  return sql`SELECT type, id, place FROM (
      SELECT entities.type AS type, entities.id AS id, ${place} AS place ${hitsSql(search, context)}
    )${behind} ORDER BY ${orderSql(order, isRanked)} LIMIT ${limit}`;
}

/** The number of hits. */
export function totalSql(criteria: TextCriteria, context: SqlContext): Sql {
  return sql`SELECT count(*) ${hitsSql(criteria, context)}`;
}

/**
 * The values of each facet for each hit. With multi-select facets, also for hits that their own filters exclude: a
 * further column for each facet tells whether these hold.
 */
export function valuesSql(search: TextSearch, context: SqlContext): Sql {
  const { facets, types } = search;
  const { own, others } = splitFilters(search);
  const holds = ({ name }: FilterName) => {
    const conditions = own.filter((filter) => filter.name === name);
    return allSql(conditions.map((filter) => filterSql(filter, types, context)));
  };
  const columns = [
    ...facets.map((facet) => valueSql(facet, types, context)),
    ...(own.length === 0 ? [] : facets.map(holds)),
  ];
  return sql`SELECT ${joined(columns, ', ')} ${hitsSql({ ...search, filters: others }, context)}`;
}

function allSql(conditions: readonly Sql[]): Sql {
  if (conditions.length === 0) return raw('1');
  return sql`coalesce(${joined(conditions, ' AND ')}, 0)`;
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

/**
 * The words of a search as an FTS5 expression. A prefix word is also matched exactly, so that BM25
 * counts an exact match twice: it ranks above longer words. Words are letters, marks and digits
 * (words.ts), so they need no escaping in quotes.
 * @param similarTo index words that match a fuzzy word
 * @see https://www.sqlite.org/fts5.html#full_text_query_syntax
 */
function matchExpression(
  words: readonly QueryWord[],
  similarTo: (word: QueryWord) => readonly string[],
): string {
  return words
    .map((word) => {
      const quoted = `"${word.text}"`;
      const alternatives = [
        quoted,
        ...(word.prefix ? [`${quoted} *`] : []),
        ...similarTo(word).map((other) => `"${other}"`),
      ];
      return alternatives.length === 1 ? quoted : `(${alternatives.join(' OR ')})`;
    })
    .join(' AND ');
}
