import { LinkedList } from '../linked-list.ts';
import type { Linked } from '../linked-list.ts';
import type { DurableListener, RedeliverableMessage } from './redeliverable-message.ts';

/** A QoS 1 message by the packet identifier of its last delivery. */
class PacketDelivery implements DurableListener, Linked<PacketDelivery> {
  readonly messageId: number;
  readonly message: RedeliverableMessage;
  readonly #deliveries: SessionDeliveries;
  /** Number of the connection of its last delivery, and the position of that among all deliveries. */
  connection: number;
  sequence: number;
  isDurable = false;
  previous: PacketDelivery | undefined;
  next: PacketDelivery | undefined;

  constructor(
    deliveries: SessionDeliveries,
    messageId: number,
    message: RedeliverableMessage,
    last: { connection: number; sequence: number },
  ) {
    this.#deliveries = deliveries;
    this.messageId = messageId;
    this.message = message;
    this.connection = last.connection;
    this.sequence = last.sequence;
  }

  becameDurable(): void {
    this.isDurable = true;
    this.#deliveries.forgetOldest();
  }
}

/**
 * The QoS 1 messages of one session that the broker may still redeliver, by packet identifier. A
 * packet is a redelivery where DUP is set, in the same session, with the same packet identifier,
 * topic and payload [MQTT-4.4.0-1].
 *
 * A message is removed when the broker has certainly processed its acknowledgement: when the broker
 * reuses the packet identifier for another message, responds to a ping that was sent after the
 * acknowledgement, or has sent as many later messages as it may have in flight. Acknowledgements are
 * sent in the order of receipt, so this also holds for all earlier messages. Otherwise a new message
 * with equal bytes and a reused packet identifier could be mistaken for a redelivery.
 */
export class SessionDeliveries {
  readonly #maxInFlight: number;
  readonly #entries = new Map<number, PacketDelivery>();
  /** The entries in the order of receipt. */
  readonly #received = new LinkedList<PacketDelivery>();
  #connection = 0;
  #nextSequence = 0;
  #pingMark: number | undefined;

  /** @param maxInFlight maximum number of messages that the broker has in flight */
  constructor(maxInFlight: number) {
    this.#maxInFlight = maxInFlight;
  }

  get size(): number {
    return this.#entries.size;
  }

  connected(sessionPresent: boolean): void {
    this.#connection += 1;
    this.#pingMark = undefined;
    if (!sessionPresent) this.#clear();
  }

  /** The message that a packet with DUP redelivers, if it is known. */
  redelivered(messageId: number, topic: string, payload: Buffer): RedeliverableMessage | undefined {
    const entry = this.#entries.get(messageId);
    if (entry?.message.equals(topic, payload) !== true) return undefined;
    this.#received.remove(entry);
    this.#received.add(entry);
    entry.connection = this.#connection;
    entry.sequence = this.#nextSequence++;
    return entry.message;
  }

  add(messageId: number, message: RedeliverableMessage): void {
    const before = this.#entries.get(messageId);
    if (before?.connection === this.#connection) this.#confirm(before.sequence);
    if (before !== undefined) this.#forget(before);
    const last = { connection: this.#connection, sequence: this.#nextSequence++ };
    const entry = new PacketDelivery(this, messageId, message, last);
    this.#entries.set(messageId, entry);
    this.#received.add(entry);
    message.whenDurable(entry);
    this.forgetOldest();
  }

  /** Forgets the oldest messages beyond those that may be in flight, up to the first that is not durable. */
  forgetOldest(): void {
    while (this.#received.size > this.#maxInFlight) {
      const oldest = this.#received.first;
      if (oldest?.isDurable !== true) return;
      this.#forget(oldest);
    }
  }

  /** @param oldest packet identifier of the oldest message that is unacknowledged on this connection */
  pingSent(oldest: number | undefined): void {
    const entry = oldest === undefined ? undefined : this.#entries.get(oldest);
    this.#pingMark = oldest === undefined ? this.#nextSequence : (entry?.sequence ?? 0);
  }

  /**
   * The broker has processed all that was sent before the ping.
   * @returns whether it has nothing left to deliver: everything was acknowledged, and nothing has come since
   */
  pingAnswered(): boolean {
    const mark = this.#pingMark;
    this.#pingMark = undefined;
    if (mark === undefined) return false;
    const isDrained = mark === this.#nextSequence;
    if (isDrained) this.#clear();
    else this.#confirm(mark);
    return isDrained;
  }

  /** Forgets what this connection brought before. */
  #confirm(sequence: number): void {
    let next: PacketDelivery | undefined;
    for (let entry = this.#received.first; entry !== undefined; entry = next) {
      next = entry.next;
      if (entry.connection !== this.#connection) continue;
      if (entry.sequence >= sequence) return;
      this.#forget(entry);
    }
  }

  #forget(entry: PacketDelivery): void {
    this.#entries.delete(entry.messageId);
    this.#received.remove(entry);
  }

  #clear(): void {
    this.#entries.clear();
    this.#received.clear();
  }
}
