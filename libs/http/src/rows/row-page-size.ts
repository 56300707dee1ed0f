/** Bytes of the rows of a page in memory, as JSON: a client may read many exports at a time, and slowly. */
const targetBytes = 256 * 1024;
/** Rows of the first page, while their size is not known. */
const firstRows = 100;
const firstLargeRows = 8;
/** Rows of a page that are measured. */
const maxMeasured = 8;

/** How many rows a page of an export has: as many as are not too large together. */
export class RowPageSize {
  readonly #maximum: number;
  #rows: number;

  /** @param maximum of rows of a page; with a low one, rows may be very large */
  constructor(maximum: number) {
    this.#maximum = maximum;
    this.#rows = maximum > firstRows ? firstRows : Math.min(maximum, firstLargeRows);
  }

  get rows(): number {
    return this.#rows;
  }

  /** Sets the number of rows of the next page, by the size of the last one. */
  adjustTo(page: readonly Record<string, unknown>[]): void {
    const step = Math.ceil(page.length / maxMeasured);
    const measured = page.filter((_, index) => index % step === 0);
    if (measured.length === 0) return;
    const size = JSON.stringify(measured).length / measured.length;
    this.#rows = Math.max(1, Math.min(this.#maximum, Math.floor(targetBytes / size)));
  }
}
