import type { Publication } from './message.ts';
import type { Outbox } from './outbox.ts';
import type { TopicFilter } from './topics.ts';
import type { QoS } from 'mqtt-packet';

export interface Subscription {
  readonly filter: TopicFilter;
  readonly qos: QoS;
  readonly noLocal: boolean;
  readonly retainAsPublished: boolean;
  readonly identifier: number | undefined;
}

export interface Will {
  readonly publication: Publication;
  readonly delayMs: number;
}

/** The parts of a connection that its session uses. */
interface SessionConnection {
  isTakenOver: boolean;
  close(code: number): void;
  breakOff(): void;
  silence(): void;
}

/** The state that a broker keeps of a client (MQTT 5, 4.1). */
export class Session {
  readonly clientId: string;
  readonly outbox: Outbox;
  /** Subscriptions by filter, in the order of subscribing. */
  readonly subscriptions = new Map<string, Subscription>();
  /** Messages of QoS 2 from the client without a PUBREL so far, by packet identifier [MQTT-4.3.3-10]. */
  readonly incoming = new Map<number, Publication>();
  /** MQTT version of the latest connection. */
  version: 4 | 5 = 4;
  /** Whether the session was restored from an earlier process, and its client has not reconnected. */
  isRestored = false;
  /** Infinity for a session that does not expire. */
  expiryMs = 0;
  /** Milliseconds of the world's time; undefined while the client is connected. */
  disconnectedAt: number | undefined;
  connection: SessionConnection | undefined;
  /** Milliseconds of the world's time; undefined while the client is disconnected. */
  connectedAt: number | undefined;
  /** Published unless the client sends DISCONNECT, or reconnects before the will's delay has passed. */
  will: Will | undefined;

  constructor(clientId: string, outbox: Outbox) {
    this.clientId = clientId;
    this.outbox = outbox;
  }
}
