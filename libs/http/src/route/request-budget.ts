/** Time and read units for one page of a list. */
export interface RequestLimits {
  deadlineMs: number;
  /** DynamoDB read units. */
  maxUnits: number;
}

/**
 * The remaining time and read units of one page. A loop that reads a list charges the units of each
 * step, and ends the page with a cursor once the budget is spent: a shorter page is not an error.
 */
export class RequestBudget {
  readonly #limits: RequestLimits;
  readonly #endsAt: number;
  #unitsLeft: number;

  constructor(limits: RequestLimits) {
    this.#limits = limits;
    this.#endsAt = performance.now() + limits.deadlineMs;
    this.#unitsLeft = limits.maxUnits;
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
