/**
 * Units that come back at a rate and gather while they are not used, up to a burst. Time is
 * injected.
 */
export class TokenBucket {
  readonly #rate: number;
  readonly #capacity: number;
  #tokens: number;
  #at: number;

  /**
   * Starts full.
   * @param rate units a second
   * @param burst seconds of that rate which can be saved up
   * @param now milliseconds
   */
  constructor(rate: number, burst: number, now: number) {
    this.#rate = rate;
    this.#capacity = rate * burst;
    this.#tokens = this.#capacity;
    this.#at = now;
  }

  /** What costs more than the bucket holds is let through when it is full: it would be refused for ever. */
  has(units: number, now: number): boolean {
    this.#refill(now);
    return this.#tokens >= Math.min(units, this.#capacity);
  }

  /** May leave less than nothing: what is found out afterwards is paid back before the next. */
  take(units: number, now: number): void {
    this.#refill(now);
    this.#tokens -= units;
  }

  isFull(now: number): boolean {
    this.#refill(now);
    return this.#tokens >= this.#capacity;
  }

  #refill(now: number): void {
    const gained = (Math.max(0, now - this.#at) / 1000) * this.#rate;
    this.#tokens = Math.min(this.#capacity, this.#tokens + gained);
    this.#at = Math.max(this.#at, now);
  }
}
