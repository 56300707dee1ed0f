import type { DatabaseSync } from 'node:sqlite';

/** Filters that one type may have had in one file; SQLite allows 2,000 columns. */
const maxColumns = 200;

/** The file has had too many filters, and has to be rebuilt with the current ones. */
export class TooManyColumns extends Error {
  override readonly name = 'TooManyColumns';
}

/**
 * Maps the filters of each type to columns of `entities`. Columns have numbers, since names are user data; each type
 * starts at the first one. Columns are added when needed.
 */
export class ValueColumns {
  readonly #database: DatabaseSync;
  readonly #ofType = new Map<string, Map<string, number>>();
  #count = 0;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** All columns. */
  get all(): string[] {
    return Array.from({ length: this.#count }, (_, index) => columnName(index));
  }

  /** The column of a filter; undefined where no entity of the type has had a value. */
  of(type: string, name: string): string | undefined {
    const index = this.#ofType.get(type)?.get(name);
    return index === undefined ? undefined : columnName(index);
  }

  /** The values in column order. @throws TooManyColumns */
  place(type: string, values: ReadonlyMap<string, string>): (string | null)[] {
    const known = this.#ofType.get(type) ?? new Map<string, number>();
    this.#ofType.set(type, known);
    for (const name of values.keys()) {
      if (!known.has(name)) known.set(name, this.#columnAt(known.size));
    }
    const placed: (string | null)[] = this.all.map(() => null);
    for (const [name, value] of values) placed[known.get(name) ?? 0] = value;
    return placed;
  }

  /** Reads the columns again after a rollback, which may have removed some. */
  reload(): void {
    const columns = this.#database.prepare('PRAGMA table_info(entities)').all();
    this.#count = columns.filter(({ name }) => /^v\d+$/.test(String(name))).length;
    for (const names of this.#ofType.values()) {
      for (const [name, index] of names) if (index >= this.#count) names.delete(name);
    }
  }

  #columnAt(index: number): number {
    if (index >= maxColumns) throw new TooManyColumns('a type has had too many filters');
    if (index >= this.#count) {
      this.#database.exec(`ALTER TABLE entities ADD COLUMN ${columnName(index)} TEXT`);
      this.#count++;
    }
    return index;
  }
}

function columnName(index: number): string {
  return `v${index}`;
}
