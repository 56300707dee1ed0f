import type { DatabaseSync } from 'node:sqlite';
import type { FilterKeys } from '../filter-keys.ts';
import type { FilterName } from '../text-index.ts';

/** Filters that one type may have had in one file; SQLite allows 2,000 columns. */
const maxColumns = 200;

/** The file has had too many filters, and has to be rebuilt with the current ones. */
export class TooManyColumns extends Error {
  override readonly name = 'TooManyColumns';
}

/**
 * Maps the filters of each type to columns of `entities`. Columns have numbers, since names are user data; each type
 * starts at the first one. Columns are added when needed. A set is a JSON list, in a column of its own even if an
 * attribute of that name was no set before.
 */
export class ValueColumns {
  readonly #database: DatabaseSync;
  /** By type and `idOf`. */
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
  of(type: string, filter: FilterName): string | undefined {
    const index = this.#ofType.get(type)?.get(idOf(filter));
    return index === undefined ? undefined : columnName(index);
  }

  /** The values in column order. @throws TooManyColumns */
  place(type: string, values: ReadonlyMap<string, FilterKeys>): (string | null)[] {
    const known = this.#ofType.get(type) ?? new Map<string, number>();
    this.#ofType.set(type, known);
    const cells = Array.from(values, ([name, keys]) => {
      const isSet = typeof keys !== 'string';
      const index = this.#indexIn(known, idOf({ name, isSet }));
      return { index, text: isSet ? JSON.stringify(keys) : keys };
    });
    const placed: (string | null)[] = this.all.map(() => null);
    for (const { index, text } of cells) placed[index] = text;
    return placed;
  }

  /** Reads the columns again after a rollback, which may have removed some. */
  reload(): void {
    const columns = this.#database.prepare('PRAGMA table_info(entities)').all();
    this.#count = columns.filter(({ name }) => /^v\d+$/.test(String(name))).length;
    for (const filters of this.#ofType.values()) {
      for (const [id, index] of filters) if (index >= this.#count) filters.delete(id);
    }
  }

  #indexIn(known: Map<string, number>, id: string): number {
    const index = known.get(id) ?? this.#columnAt(known.size);
    known.set(id, index);
    return index;
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

function idOf({ name, isSet }: FilterName): string {
  return JSON.stringify([name, isSet]);
}

function columnName(index: number): string {
  return `v${index}`;
}
