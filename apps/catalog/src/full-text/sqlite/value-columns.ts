import type { DatabaseSync } from 'node:sqlite';

/** Names of values that one type may have had in one file; SQLite has 2,000 columns at most. */
const maxColumns = 200;

/** The file has seen so many names that it is to be made again: then it has those alone that are there. */
export class TooManyColumns extends Error {
  override readonly name = 'TooManyColumns';
}

/**
 * Which column of `entities` has the values of a name, for each type: names are data, so columns have numbers, and each
 * type begins at the first one. Columns are added as they are needed.
 */
export class ValueColumns {
  readonly #database: DatabaseSync;
  readonly #ofType = new Map<string, Map<string, number>>();
  #count = 0;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** The columns that there are. */
  get all(): string[] {
    return Array.from({ length: this.#count }, (_, index) => columnName(index));
  }

  /** The column of a name that no entity of the type has had is undefined. */
  of(type: string, name: string): string | undefined {
    const index = this.#ofType.get(type)?.get(name);
    return index === undefined ? undefined : columnName(index);
  }

  /** The values in the order of `all`. @throws TooManyColumns */
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

  /** After a transaction that was taken back, perhaps with columns of its own. */
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
