import { retryDelay, takeoverDelay } from './retry-delay.ts';

/** Duration of a connection after which the next one is opened without backoff. */
const steadyMs = 10_000;
/** Duration of a connection after which takeovers are forgotten; longer than the maximum delay after a takeover. */
const undisputedMs = 300_000;
/**
 * Consecutive connections lost soon after subscribing, without a reason, that are treated as takeovers: MQTT 3.1.1
 * gives no reason, nor do all brokers with MQTT 5.
 */
const minShortLivedForTakeover = 4;
/** Takeovers with a reason that are a conflict: a single one is a process that was replaced by its successor. */
const minTakeoversForConflict = 2;
/** Reason code of a DISCONNECT: another client connected with the same client identifier (MQTT 5, 3.14.2.1). */
const sessionTakenOver = 0x8e;

/** Computes the delay before the next connection. The monotonic clock is injected for tests. */
export class ReconnectDelay {
  readonly #onTakeover: () => void;
  readonly #now: () => number;
  #attempts = 0;
  #shortLived = 0;
  #takeovers = 0;
  #isInConflict = false;
  #subscribedAt: number | undefined;
  /** Why the broker ended the connection, where it said so. */
  #reasonCode: number | undefined;

  /** @param onTakeover called for each connection that was ended by another client with the same client identifier */
  constructor(onTakeover: () => void, now: () => number = () => performance.now()) {
    this.#onTakeover = onTakeover;
    this.#now = now;
  }

  /** Whether another client keeps connecting with the same client identifier. */
  get isInConflict(): boolean {
    return this.#isInConflict && !this.#hasLasted(undisputedMs);
  }

  subscribed(): void {
    this.#subscribedAt ??= this.#now();
  }

  /** MQTT 5: the broker ended the connection for this reason. */
  endedByBroker(reasonCode: number): void {
    this.#reasonCode = reasonCode;
  }

  /** The delay; call it once for each ended connection. */
  nextMs(): number {
    const isSteady = this.#hasLasted(steadyMs);
    if (isSteady) this.#attempts = 0;
    if (this.#hasLasted(undisputedMs)) {
      this.#takeovers = 0;
      this.#isInConflict = false;
    }
    if (this.#subscribedAt !== undefined) this.#shortLived = isSteady ? 0 : this.#shortLived + 1;
    this.#subscribedAt = undefined;
    this.#attempts += 1;
    const isNamed = this.#reasonCode === sessionTakenOver;
    const isLikely = this.#reasonCode === undefined && this.#shortLived >= minShortLivedForTakeover;
    this.#reasonCode = undefined;
    if (!isNamed && !isLikely) return retryDelay(this.#attempts);
    this.#takeovers += 1;
    if (isLikely || this.#takeovers >= minTakeoversForConflict) this.#isInConflict = true;
    this.#onTakeover();
    return takeoverDelay(this.#takeovers);
  }

  #hasLasted(ms: number): boolean {
    return this.#subscribedAt !== undefined && this.#now() - this.#subscribedAt > ms;
  }
}
