import { LRUCache } from 'lru-cache';
import { rebirthCommand } from './payload.ts';

/** Publishes at QoS 0. @returns whether there is a connection */
export type Publish = (topic: string, payload: Buffer) => boolean;

export interface RebirthRequestsOptions {
  /** Whether births may be requested. */
  isOn: boolean;
  /** Called for each request that was sent. */
  onSent: () => void;
  /** Called when no more requests are sent, because the broker closes the connection for them. */
  onGivenUp: () => void;
  /** Monotonic milliseconds. */
  now?: () => number;
}

/** Minimum time between two requests to a node. */
const intervalMs = 60_000;
/**
 * A broker may close the connection of a client that publishes without permission [MQTT-3.3.5-2]: the time within which
 * it does, and the number of times after which requests stop.
 */
const endsWithinMs = 5000;
const maxEnds = 3;
/** Maximum number of nodes whose last request is remembered. */
const maxNodes = 10_000;

/** Requests births from nodes (Sparkplug 3.0, 6.4.20). */
export class RebirthRequests {
  readonly #options: RebirthRequestsOptions;
  /** Time of the last request by topic, in monotonic milliseconds. */
  readonly #askedAt = new LRUCache<string, number>({ max: maxNodes });
  #publish: Publish | undefined;
  #sentAt = -Infinity;
  /** Consecutive requests after which the connection was closed. */
  #ends = 0;

  constructor(options: RebirthRequestsOptions) {
    this.#options = options;
  }

  /** Enables requests; before, there is no connection. */
  connect(publish: Publish): void {
    this.#publish = publish;
  }

  /** There is a new connection. */
  reconnected(): void {
    const { onGivenUp, now = () => performance.now() } = this.#options;
    if (now() - this.#sentAt > endsWithinMs) return;
    this.#sentAt = -Infinity;
    this.#ends += 1;
    if (this.#ends === maxEnds) onGivenUp();
  }

  /** @param topic of the node's commands, `spBv1.0/<group>/NCMD/<node>` */
  ask(topic: string): void {
    const { isOn, onSent, now = () => performance.now() } = this.#options;
    const time = now();
    if (
      !isOn ||
      this.#ends >= maxEnds ||
      time - (this.#askedAt.peek(topic) ?? -Infinity) < intervalMs
    )
      return;
    if (this.#publish?.(topic, rebirthCommand(Date.now())) !== true) return;
    onSent();
    // The request before did not close the connection.
    if (this.#sentAt > -Infinity && time - this.#sentAt > endsWithinMs) this.#ends = 0;
    this.#sentAt = time;
    this.#askedAt.set(topic, time);
  }
}
