import { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { indexedWords, isIndexed } from '../indexed-words.ts';
import { countHits } from './count-hits.ts';
import { SearchCancellation } from './search-cancellation.ts';
import { pageSql, totalSql, valuesSql } from './search-sql.ts';
import { wordsOneLetterAway } from './similar-words.ts';
import { ValueColumns } from './value-columns.ts';
import type { SQLOutputValue, StatementSync } from 'node:sqlite';
import type { IndexedRow } from '../filter-keys.ts';
import type { FoundEntity, TextResult } from '../text-index.ts';
import type { QueryWord } from '../words.ts';
import type { Sql } from './sql.ts';
import type { TextSearch } from './text-messages.ts';

const pageBytes = 4096;
/** Page cache in memory. */
const cacheKb = 8192;
/** Prepared statements in the cache: each combination of filters is a statement of its own. */
const maxStatements = 100;

/**
 * Files do not outlive the process, so nothing is flushed for durability; the journal is kept for
 * transactions that reach the size limit. The tokenizer `ascii` splits at spaces and folds nothing
 * that words.ts has kept; `prefix` speeds up single Japanese characters. Only words and their
 * positions are stored, no texts.
 * @see https://www.sqlite.org/fts5.html#contentless_delete_tables
 */
const schema = `
  PRAGMA page_size = ${pageBytes};
  PRAGMA journal_mode = MEMORY;
  PRAGMA synchronous = OFF;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -${cacheKb};
  CREATE TABLE entities (
    number INTEGER PRIMARY KEY, type TEXT NOT NULL, id TEXT NOT NULL, UNIQUE (type, id)
  );
  CREATE VIRTUAL TABLE texts USING fts5 (
    words, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '1'
  );
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab (texts, 'row');
`;

/** A full-text index in one SQLite file. Synchronous, so it runs in a worker thread. */
export class TextDatabase {
  readonly #database: DatabaseSync;
  readonly #statements = new LRUCache<string, StatementSync>({ max: maxStatements });
  readonly #cancellation: SearchCancellation;
  readonly #columns: ValueColumns;
  #documents = 0;

  /** Creates the file. @param maxBytes exceeding it throws SQLITE_FULL */
  constructor(path: string, { maxBytes }: { maxBytes: number }) {
    this.#database = new DatabaseSync(path);
    this.#database.exec(schema);
    this.#database.exec(`PRAGMA max_page_count = ${Math.ceil(maxBytes / pageBytes)}`);
    this.#cancellation = new SearchCancellation(this.#database);
    this.#columns = new ValueColumns(this.#database);
  }

  get documents(): number {
    return this.#documents;
  }

  get bytes(): number {
    return Number(this.#prepare('PRAGMA page_count').get()?.['page_count']) * pageBytes;
  }

  begin(): void {
    this.#database.exec('BEGIN');
  }

  commit(): void {
    this.#database.exec('COMMIT');
  }

  /** Applies all changes in one transaction. */
  applyAtOnce(changes: readonly IndexedRow[]): void {
    const documents = this.#documents;
    this.begin();
    try {
      this.apply(changes);
      this.commit();
    } catch (error) {
      this.#documents = documents;
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      this.#columns.reload();
      throw error;
    }
  }

  /** Within a transaction. */
  apply(changes: readonly IndexedRow[]): void {
    for (const change of changes) this.#applyOne(change);
  }

  /** @throws SearchCancelled, TooManyValues */
  search(search: TextSearch, isCancelled: () => boolean): TextResult {
    this.#cancellation.cancelWhen(isCancelled);
    const similarTo = ({ text }: QueryWord) => this.#indexed(wordsOneLetterAway(text));
    const context = { columns: this.#columns, similarTo };
    const { facets: names, total: isCounted } = search;
    const isRanked = search.order === undefined && search.words.length > 0;
    const found = this.#all(pageSql(search, context)).map((row) => hitOf(row, isRanked));
    if (names.length === 0) {
      if (!isCounted) return { found };
      const [row] = this.#all(totalSql(search, context));
      return { found, total: Number(row?.[0]) };
    }
    const { total, facets } = countHits(names, this.#rows(valuesSql(search, context)));
    return { found, facets, ...(isCounted && { total }) };
  }

  close(): void {
    this.#database.close();
  }

  #applyOne(change: IndexedRow): void {
    const { type, id } = change.entity;
    const known = this.#prepare('SELECT number FROM entities WHERE type = ? AND id = ?');
    const existing = known.get(type, id)?.['number'];
    if (existing !== undefined) {
      this.#prepare('DELETE FROM texts WHERE rowid = ?').run(existing);
      this.#prepare('DELETE FROM entities WHERE number = ?').run(existing);
      this.#documents--;
    }
    if (!isIndexed(change)) return;
    const number = this.#addEntity(change, existing);
    const words = indexedWords(change);
    if (words === undefined) return;
    this.#prepare('INSERT INTO texts (rowid, words) VALUES (?, ?)').run(number, words);
  }

  /** @param number its previous row number, so that hits with equal scores keep their order */
  #addEntity({ entity, keys }: IndexedRow, number: SQLOutputValue = null): number | bigint {
    const placed = this.#columns.place(entity.type, keys ?? new Map());
    const columns = ['number', 'type', 'id', ...this.#columns.all];
    const marks = columns.map(() => '?').join(', ');
    const insert = `INSERT INTO entities (${columns.join(', ')}) VALUES (${marks})`;
    this.#documents++;
    return this.#prepare(insert).run(number, entity.type, entity.id, ...placed).lastInsertRowid;
  }

  #indexed(words: readonly string[]): string[] {
    const lookUp = this.#prepare('SELECT 1 FROM vocabulary WHERE term = ?');
    return words.filter((word) => lookUp.get(word) !== undefined);
  }

  #all({ text, parameters }: Sql): SQLOutputValue[][] {
    const statement = this.#prepare(text);
    statement.setReturnArrays(true);
    return statement.all(...parameters) as unknown as SQLOutputValue[][];
  }

  /** Iterates over the rows without loading all of them. */
  *#rows({ text, parameters }: Sql): Generator<SQLOutputValue[]> {
    const statement = this.#prepare(text);
    statement.setReturnArrays(true);
    let isWhole = false;
    try {
      yield* statement.iterate(...parameters) as unknown as Iterable<SQLOutputValue[]>;
      isWhole = true;
    } finally {
      // A statement that was cancelled while iterating throws the same error when it is used again.
      if (!isWhole) this.#statements.delete(text);
    }
  }

  #prepare(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }
}

function hitOf([type, id, place]: SQLOutputValue[], isRanked: boolean): FoundEntity {
  const entity = { type: String(type), id: String(id) };
  if (!isRanked) return { entity, value: place === null ? null : String(place) };
  const score = Number(place);
  // FTS5 scores are lower for better matches.
  return { entity, score, shownScore: Number((-score).toPrecision(6)) };
}
