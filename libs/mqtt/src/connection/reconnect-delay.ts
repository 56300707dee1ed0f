import { retryDelay, takeoverDelay } from './retry-delay.ts';

/** Duration of a connection after which the next one is opened without backoff. */
const steadyMs = 10_000;
/** Duration of a connection after which takeovers are forgotten; longer than the maximum delay after a takeover. */
const undisputedMs = 300_000;
/** Consecutive connections lost soon after subscribing that are treated as takeovers: MQTT 3.1.1 gives no reason. */
const minShortLivedForTakeover = 4;

/** Computes the delay before the next connection. The monotonic clock is injected for tests. */
export class ReconnectDelay {
  readonly #version: '5' | '3.1.1';
  readonly #now: () => number;
  #attempts = 0;
  #shortLived = 0;
  #takeovers = 0;
  #subscribedAt: number | undefined;
  #isTakenOver = false;

  constructor(version: '5' | '3.1.1', now: () => number = () => performance.now()) {
    this.#version = version;
    this.#now = now;
  }

  subscribed(): void {
    this.#subscribedAt ??= this.#now();
  }

  /** The broker reported that another client took the session over. */
  takenOver(): void {
    this.#isTakenOver = true;
  }

  /** The delay; call it once for each ended connection. */
  nextMs(): number {
    const lasted = this.#subscribedAt === undefined ? 0 : this.#now() - this.#subscribedAt;
    const wasSubscribed = this.#subscribedAt !== undefined;
    this.#subscribedAt = undefined;
    if (lasted > steadyMs) this.#attempts = 0;
    if (lasted > undisputedMs) this.#takeovers = 0;
    if (wasSubscribed) this.#shortLived = lasted > steadyMs ? 0 : this.#shortLived + 1;
    this.#attempts += 1;
    const isTakenOver =
      this.#isTakenOver ||
      (this.#version === '3.1.1' && this.#shortLived >= minShortLivedForTakeover);
    this.#isTakenOver = false;
    if (!isTakenOver) return retryDelay(this.#attempts);
    this.#takeovers += 1;
    return takeoverDelay(this.#takeovers);
  }
}
