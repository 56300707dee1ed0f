/** Milliseconds that are counted together: the rate is of the last one to two of these. */
const paneMs = 5000;

/** How much comes or goes a second, lately. Knows no time but what it is told, in milliseconds on a clock that never goes back. */
export class ArrivalRate {
  #startedAt: number;
  #current = 0;
  /** Of the pane before, where there was one. */
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
