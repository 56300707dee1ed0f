import { indexedRow } from '../../src/full-text/filter-keys.ts';
import { TextDatabase } from '../../src/full-text/sqlite/text-database.ts';
import type { TextRow } from '@engawa/model';
import type { TextSearch } from '../../src/full-text/sqlite/text-messages.ts';
import type { FoundEntity, TextWriter } from '../../src/full-text/text-index.ts';

/** The database of the worker thread, in memory and without a thread. */
export class WordsInMemory implements TextWriter {
  readonly #database = new TextDatabase(':memory:', { maxBytes: 1e9 });

  get documents(): number {
    return this.#database.documents;
  }

  apply(changes: readonly TextRow[]): Promise<void> {
    this.#database.applyAtOnce(changes.map(indexedRow));
    return Promise.resolve();
  }

  search(search: TextSearch): FoundEntity[] {
    return [...this.#database.search(search, () => false).found];
  }
}
