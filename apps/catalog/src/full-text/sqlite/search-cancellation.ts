import type { DatabaseSync } from 'node:sqlite';

/** The caller has cancelled the search. */
export class SearchCancelled extends Error {
  override readonly name = 'SearchCancelled';
}

/** The SQL function `check_cancelled()`: returns 1, and throws at the next row once the search is cancelled. */
export class SearchCancellation {
  #isCancelled: () => boolean = () => false;

  constructor(database: DatabaseSync) {
    database.function('check_cancelled', { directOnly: true }, () => {
      if (this.#isCancelled()) throw new SearchCancelled();
      return 1;
    });
  }

  cancelWhen(isCancelled: () => boolean): void {
    this.#isCancelled = isCancelled;
  }
}
