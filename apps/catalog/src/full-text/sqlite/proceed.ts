import type { DatabaseSync } from 'node:sqlite';

/** Nobody waits for the answer any more. */
export class SearchCancelled extends Error {
  override readonly name = 'SearchCancelled';
}

/** SQL's `proceed()`, which is true, and ends a statement at the next row once nobody waits for it. */
export class Proceed {
  #isCancelled: () => boolean = () => false;

  constructor(database: DatabaseSync) {
    database.function('proceed', { directOnly: true }, () => {
      if (this.#isCancelled()) throw new SearchCancelled();
      return 1;
    });
  }

  cancelWhen(isCancelled: () => boolean): void {
    this.#isCancelled = isCancelled;
  }
}
