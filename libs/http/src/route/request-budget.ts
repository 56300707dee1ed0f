/** What one page of an answer may cost. */
export interface RequestLimits {
  /** Milliseconds. */
  deadlineMs: number;
  /** Read units of the table. */
  maxUnits: number;
}

/**
 * What is left of the time and the units that one page may cost. Who reads in a loop charges what each step took and
 * stops, with a cursor, once it is spent: a shorter page is no error.
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

  /** Whether no further step should be begun. */
  get isSpent(): boolean {
    return this.#unitsLeft <= 0 || performance.now() >= this.#endsAt;
  }

  /** The same again, for the next page of an answer that is streamed page by page. */
  renew(): RequestBudget {
    return new RequestBudget(this.#limits);
  }
}
