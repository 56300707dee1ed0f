import { LRUCache } from 'lru-cache';
import { rebirthCommand } from './payload.ts';

/** Publishes at QoS 0. @returns whether there is a connection */
export type Publish = (topic: string, payload: Buffer) => boolean;

export interface RebirthRequestsOptions {
  /** Whether nodes may be asked at all. */
  isOn: boolean;
  /** Called for each request that was sent. */
  onSent: () => void;
  /** Called when no more are sent, because the broker ends the connection for them. */
  onGivenUp: () => void;
  /** A monotonic clock, in milliseconds. */
  now?: () => number;
}

/** Milliseconds in which a node is asked once at most. */
const intervalMs = 60_000;
/** A broker may end the connection of a client that publishes what it may not [MQTT-3.3.5-2]: within this time, so often. */
const endsWithinMs = 5000;
const maxEnds = 3;
/** Nodes of which it is known when they were asked. */
const maxNodes = 10_000;

/** Asks nodes to say again which metrics they have (Sparkplug 3.0, 6.4.20). */
export class RebirthRequests {
  readonly #options: RebirthRequestsOptions;
  /** When each node was asked last, by topic: monotonic milliseconds. */
  readonly #askedAt = new LRUCache<string, number>({ max: maxNodes });
  #publish: Publish | undefined;
  #sentAt = -Infinity;
  /** Requests in a row after which the connection ended. */
  #ends = 0;

  constructor(options: RebirthRequestsOptions) {
    this.#options = options;
  }

  /** From now on requests are sent; before there is no connection to send them over. */
  connect(publish: Publish): void {
    this.#publish = publish;
  }

  /** There is another connection than before. */
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
    // The one before did no harm.
    if (this.#sentAt > -Infinity && time - this.#sentAt > endsWithinMs) this.#ends = 0;
    this.#sentAt = time;
    this.#askedAt.set(topic, time);
  }
}
