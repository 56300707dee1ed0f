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

/** The session's network connection, as its session uses it. */
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
  /** By filter, in the order in which they were made. */
  readonly subscriptions = new Map<string, Subscription>();
  /** Messages of QoS 2 from the client that are not released, by packet identifier [MQTT-4.3.3-10]. */
  readonly incoming = new Map<number, Publication>();
  /** Of the latest connection. */
  version: 4 | 5 = 4;
  /** Whether an earlier process made it, and its client has not connected to this one. */
  isRestored = false;
  /** Infinity for a session that does not expire. */
  expiryMs = 0;
  /** Milliseconds of the world's time; undefined while there is a connection. */
  disconnectedAt: number | undefined;
  connection: SessionConnection | undefined;
  /** The same, of a session that has one. */
  connectedAt: number | undefined;
  /** Published unless the client sends DISCONNECT, or reconnects before the will's delay is over. */
  will: Will | undefined;

  constructor(clientId: string, outbox: Outbox) {
    this.clientId = clientId;
    this.outbox = outbox;
  }
}
