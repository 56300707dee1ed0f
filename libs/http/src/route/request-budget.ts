/** What one page of an answer may cost. */
export interface Limits {
  /** Milliseconds. */
  deadlineMs: number;
  /** Read units of the table. */
  units: number;
}

/**
 * What is left of the time and the units that one page may cost. Who reads in a loop charges what each step took and
 * stops, with a cursor, once it is spent: a shorter page is no error.
 */
export class Budget {
  readonly #limits: Limits;
  readonly #endsAt: number;
  #unitsLeft: number;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#endsAt = performance.now() + limits.deadlineMs;
    this.#unitsLeft = limits.units;
  }

  charge(units: number): void {
    this.#unitsLeft -= units;
  }

  /** Whether no further step should be begun. */
  get isSpent(): boolean {
    return this.#unitsLeft <= 0 || performance.now() >= this.#endsAt;
  }

  /** The same again, for the next page of an answer that is streamed page by page. */
  renewed(): Budget {
    return new Budget(this.#limits);
  }
}
