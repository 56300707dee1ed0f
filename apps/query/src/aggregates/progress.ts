/**
 * What a page whose first bucket is not known yet has to show for its cost. Such a page may be empty only if it made rollups,
 * which the next one then finds: so a bucket that takes more than a page may cost is finished after some pages.
 */
export class Progress {
  /** Rollups that were written. */
  kept = 0;
  /** Whether there is one to write. */
  isUnderWay = false;
  readonly #isAllowed: boolean;

  /** @param isAllowed whether the page may be empty at all */
  constructor(isAllowed: boolean) {
    this.#isAllowed = isAllowed;
  }

  /** Whether the first bucket may be left unfinished where the budget is spent. */
  get mayStop(): boolean {
    return this.#isAllowed && (this.kept > 0 || this.isUnderWay);
  }
}
