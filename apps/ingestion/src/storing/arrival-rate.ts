/** Length of a counting interval: the rate covers the last one to two intervals. */
const paneMs = 5000;

/** A rate per second over the last seconds. Time is injected: monotonic milliseconds. */
export class ArrivalRate {
  #startedAt: number;
  #current = 0;
  /** Count of the previous interval; undefined in the first. */
  #before: number | undefined;

  constructor(now: number) {
    this.#startedAt = now;
  }

  add(amount: number, now: number): void {
    this.#turn(now);
    this.#current += amount;
  }

  perSecond(now: number): number {
    this.#turn(now);
    const whole = this.#before === undefined ? 0 : paneMs;
    const milliseconds = Math.max(paneMs, now - this.#startedAt + whole);
    return ((this.#before ?? 0) + this.#current) / (milliseconds / 1000);
  }

  #turn(now: number): void {
    const panes = Math.floor((now - this.#startedAt) / paneMs);
    if (panes < 1) return;
    this.#before = panes === 1 ? this.#current : 0;
    this.#current = 0;
    this.#startedAt += panes * paneMs;
  }
}
