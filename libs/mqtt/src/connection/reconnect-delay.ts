import { retryDelay, takeoverDelay } from './retry-delay.ts';

/** How long a connection must have lasted for the next one to be opened without delay. */
const steadyMs = 10_000;
/** The same after a takeover; longer than two clients wait between takeovers from each other. */
const undisputedMs = 300_000;
/** Connections in a row, each lost soon after subscribing, that are taken for a takeover: MQTT 3.1.1 gives no reason. */
const suspiciousCuts = 4;

/** How long to wait before the next connection. The monotonic clock is injected for tests. */
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

  /** The broker says that another client has taken the session. */
  takenOver(): void {
    this.#isTakenOver = true;
  }

  /** Milliseconds; to be asked once for each connection that has ended. */
  nextMs(): number {
    const lasted = this.#subscribedAt === undefined ? 0 : this.#now() - this.#subscribedAt;
    const wasSubscribed = this.#subscribedAt !== undefined;
    this.#subscribedAt = undefined;
    if (lasted > steadyMs) this.#attempts = 0;
    if (lasted > undisputedMs) this.#takeovers = 0;
    if (wasSubscribed) this.#shortLived = lasted > steadyMs ? 0 : this.#shortLived + 1;
    this.#attempts += 1;
    const isTakenOver =
      this.#isTakenOver || (this.#version === '3.1.1' && this.#shortLived >= suspiciousCuts);
    this.#isTakenOver = false;
    if (!isTakenOver) return retryDelay(this.#attempts);
    this.#takeovers += 1;
    return takeoverDelay(this.#takeovers);
  }
}
