/**
 * Tracks whether an empty page has made progress. A page may end without a bucket only if it stored
 * rollups, which the next page finds. So a bucket that costs more than one page may is complete
 * after some pages.
 */
export class PageProgress {
  /** Rollups that were stored. */
  kept = 0;
  /** Rollups that could not be stored. */
  failed = 0;
  /** Whether a rollup is about to be stored. */
  isUnderWay = false;
  readonly #isAllowed: boolean;

  /** @param isAllowed whether the page may end without a bucket */
  constructor(isAllowed: boolean) {
    this.#isAllowed = isAllowed;
  }

  /** Whether the page may end before its first bucket is complete, once the budget is spent. */
  get mayStop(): boolean {
    return this.#isAllowed && (this.kept > 0 || this.isUnderWay);
  }
}
