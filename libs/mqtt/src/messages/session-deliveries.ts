import type { Delivery } from './delivery.ts';

interface PacketDelivery {
  readonly messageId: number;
  readonly delivery: Delivery;
  /** Number of the connection that brought it last, and its place among everything received. */
  connection: number;
  sequence: number;
}

/**
 * The QoS 1 messages of one session that the broker may still deliver again, by packet identifier. A message is a redelivery
 * when MQTT says so: DUP is set, in the same session, with the same packet identifier, topic and bytes [MQTT-4.4.0-1].
 *
 * A message is forgotten as soon as the broker has certainly processed its acknowledgement: when the broker uses the packet
 * identifier for another message, or answers a ping that was sent after the acknowledgement. Acknowledgements leave in the order of
 * receipt, so that holds for all messages before it, too. Otherwise a message with equal bytes under a packet identifier that is
 * used again could be mistaken for its predecessor.
 */
export class SessionDeliveries {
  readonly #maxDurable: number;
  /** In the order of receipt. */
  readonly #entries = new Map<number, PacketDelivery>();
  /** Those whose message is durable, in the order in which they became so. */
  readonly #durable = new Set<PacketDelivery>();
  #connection = 0;
  #nextSequence = 0;
  #pingMark: number | undefined;

  /** @param maxDurable how many messages are remembered that nothing else holds in memory */
  constructor(maxDurable: number) {
    this.#maxDurable = maxDurable;
  }

  get size(): number {
    return this.#entries.size;
  }

  connected(sessionPresent: boolean): void {
    this.#connection += 1;
    this.#pingMark = undefined;
    if (!sessionPresent) this.#clear();
  }

  /** The message that a packet with DUP brings again, if it is known. */
  redelivered(messageId: number, fingerprint: string): Delivery | undefined {
    const entry = this.#entries.get(messageId);
    if (entry?.delivery.fingerprint !== fingerprint) return undefined;
    this.#entries.delete(messageId);
    this.#entries.set(messageId, entry);
    entry.connection = this.#connection;
    entry.sequence = this.#nextSequence++;
    return entry.delivery;
  }

  add(messageId: number, delivery: Delivery): void {
    const before = this.#entries.get(messageId);
    if (before?.connection === this.#connection) this.#confirm(before.sequence);
    if (before !== undefined) this.#forget(before);
    const connection = this.#connection;
    const entry = { messageId, delivery, connection, sequence: this.#nextSequence++ };
    this.#entries.set(messageId, entry);
    delivery.whenDurable(() => this.#becameDurable(entry));
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
    for (const entry of this.#entries.values()) {
      if (entry.connection !== this.#connection) continue;
      if (entry.sequence >= sequence) return;
      this.#forget(entry);
    }
  }

  #becameDurable(entry: PacketDelivery): void {
    if (this.#entries.get(entry.messageId) !== entry) return;
    this.#durable.add(entry);
    if (this.#durable.size <= this.#maxDurable) return;
    for (const oldest of this.#durable) {
      this.#forget(oldest);
      return;
    }
  }

  #forget(entry: PacketDelivery): void {
    this.#durable.delete(entry);
    if (this.#entries.get(entry.messageId) === entry) this.#entries.delete(entry.messageId);
  }

  #clear(): void {
    this.#entries.clear();
    this.#durable.clear();
  }
}
