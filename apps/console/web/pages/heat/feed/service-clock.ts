/** Milliseconds from the end of a second until it is in the history: the recorder's delay of 5, and a late timer. */
export const recordingMs = 35;
/** Bounds that are closer than this, beside the times of recording and of a request, are not narrowed further. */
const exactMs = 20;
/** After the earliest time at which a second was known to be in the history. */
const marginMs = 10;
/** How far both clocks may drift apart in a second. */
const driftMs = 1;
const secondMs = 1000;

export interface ObservedHistory {
  /** When the request was sent and its response received, in milliseconds of a monotonic clock. */
  sentMs: number;
  receivedMs: number;
  /** The second after the newest one of the response, counted from the epoch. */
  end: number;
}

/**
 * Estimates when the services end a second, from the newest seconds of their responses: the clocks of the page and of
 * the services may differ by any time. Each response bounds the difference, and a request in the middle of the bounds
 * halves it. After about ten responses, a request is sent within 75 ms after a second has ended.
 */
export class ServiceClock {
  /** Bounds of the services' time minus the page's. */
  #low = -Infinity;
  #high = Infinity;
  #end = 0;
  #observedMs = 0;
  #tripMs = 0;

  observe({ sentMs, receivedMs, end }: ObservedHistory): void {
    const drift = (driftMs * Math.max(0, receivedMs - this.#observedMs)) / secondMs;
    // The response was made after the second ended, and before the next one was recorded.
    const low = end * secondMs - receivedMs;
    const high = (end + 1) * secondMs + recordingMs - sentMs;
    this.#low = Math.max(this.#low - drift, low);
    this.#high = Math.min(this.#high + drift, high);
    // A clock was set.
    if (this.#low > this.#high) [this.#low, this.#high] = [low, high];
    this.#end = end;
    this.#observedMs = receivedMs;
    this.#tripMs = receivedMs - sentMs;
  }

  /** When the second after the newest one is in the history, in milliseconds of the page's clock. */
  get nextMs(): number {
    const next = (this.#end + 1) * secondMs;
    const range = this.#high - this.#low;
    if (range <= exactMs + recordingMs + this.#tripMs) return next - this.#low + marginMs;
    return next + recordingMs - (this.#low + this.#high) / 2;
  }
}
