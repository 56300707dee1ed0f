/** Time, read units and size for one page of a list. */
export interface RequestLimits {
  deadlineMs: number;
  /** DynamoDB read units. */
  maxUnits: number;
  /** Bytes of the items of a page as JSON, before compression; unlimited by default. */
  maxBytes?: number;
}

/** Bytes of a value as JSON, with its name: the maximum number of values follows from the maximum of bytes. */
const bytesPerValue = 20;

/**
 * The remaining time and read units of one page, and its maximum size. A loop that reads a list charges the units of
 * each step, and ends the page with a cursor once the budget is spent: a shorter page is not an error.
 */
export class RequestBudget {
  /** Maximum bytes of the items of the page. */
  readonly maxBytes: number;
  readonly #limits: RequestLimits;
  readonly #endsAt: number;
  #unitsLeft: number;

  constructor(limits: RequestLimits) {
    this.#limits = limits;
    this.#endsAt = performance.now() + limits.deadlineMs;
    this.#unitsLeft = limits.maxUnits;
    this.maxBytes = limits.maxBytes ?? Infinity;
  }

  /** Maximum number of values of the page, and of values in memory for it. */
  get maxValues(): number {
    return this.maxBytes / bytesPerValue;
  }

  charge(units: number): void {
    this.#unitsLeft -= units;
  }

  /** Whether no further step may start. */
  get isSpent(): boolean {
    return this.#unitsLeft <= 0 || performance.now() >= this.#endsAt;
  }

  /** A new budget with the same limits, for the next page of a streamed list. */
  renew(): RequestBudget {
    return new RequestBudget(this.#limits);
  }
}
