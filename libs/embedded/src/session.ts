import type { AedesPublishPacket, Client } from 'aedes';
import { writeToStream, type IPubrelPacket } from 'mqtt-packet';

interface OutgoingPacket {
  readonly counter: number;
  packet: AedesPublishPacket | IPubrelPacket;
  /** Assigned at the first delivery, and kept until the acknowledgement [MQTT-4.4.0-1]. */
  messageId?: number;
}

/** Packet identifiers have 16 bits; 0 is invalid [MQTT-2.3.1-1]. */
const lastMessageId = 65_535;

/**
 * The outgoing queue of one persistent session: sends unacknowledged messages in order of arrival, once per connection,
 * at most `limit` in flight, each with a unique packet identifier. While the client is offline, or delays its
 * acknowledgements, messages are queued without limit.
 */
export class Session {
  readonly #limit: number;
  readonly #entries = new Map<number, OutgoingPacket>();
  readonly #inFlight = new Map<number, OutgoingPacket>();
  /** Counters of messages queued here whose live copy has not arrived yet. */
  readonly #expected = new Set<number>();
  #client: Client | undefined;
  #unsent: OutgoingPacket[] = [];
  #sent = 0;
  #draining = false;
  #latestId = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Queues a message and sends it in order. */
  add(packet: AedesPublishPacket): void {
    const counter = packet.brokerCounter;
    if (this.#entries.has(counter)) return; // two of the session's filters match
    const entry: OutgoingPacket = { counter, packet };
    this.#entries.set(counter, entry);
    this.#expected.add(counter);
    this.#unsent.push(entry);
    this.#send();
  }

  /** Whether the broker's live copy of a message is already queued here. Live copies arrive in order. */
  expects(counter: number): boolean {
    const expected = this.#expected.has(counter);
    for (const earlier of this.#expected) {
      if (earlier > counter) break;
      this.#expected.delete(earlier);
    }
    return expected;
  }

  connect(client: Client): void {
    this.#client = client;
    this.#unsent = [...this.#entries.values()];
    this.#sent = 0;
    this.#draining = false;
    this.#send();
  }

  disconnect(client: Client): void {
    if (this.#client === client) this.#client = undefined;
  }

  /** The second half of a QoS 2 delivery: from now on the PUBREL is redelivered. */
  release(pubrel: IPubrelPacket): void {
    const entry = this.#inFlight.get(pubrel.messageId ?? 0);
    if (entry !== undefined) entry.packet = pubrel;
  }

  /** Removes the acknowledged message; does nothing for an identifier that is not in flight. */
  acknowledge(messageId: number): AedesPublishPacket | IPubrelPacket | undefined {
    const entry = this.#inFlight.get(messageId);
    if (entry === undefined) return undefined;
    this.#inFlight.delete(messageId);
    this.#entries.delete(entry.counter);
    this.#send();
    return entry.packet;
  }

  #send(): void {
    const client = this.#client;
    if (client === undefined || client.closed) return;
    for (let entry = this.#next(); entry !== undefined; entry = this.#next()) {
      if (!this.#write(client, entry)) {
        this.#draining = true;
        client.conn.once('drain', () => {
          if (this.#client !== client) return;
          this.#draining = false;
          this.#send();
        });
      }
    }
  }

  #next(): OutgoingPacket | undefined {
    const entry = this.#unsent[this.#sent];
    if (entry === undefined || this.#draining) return undefined;
    if (entry.messageId === undefined && this.#inFlight.size >= this.#limit) return undefined;
    this.#sent += 1;
    if (this.#sent >= 1024) {
      this.#unsent.splice(0, this.#sent);
      this.#sent = 0;
    }
    return entry;
  }

  /** False when the socket requires a wait for 'drain'. */
  #write(client: Client, entry: OutgoingPacket): boolean {
    const again = entry.messageId !== undefined;
    const messageId = entry.messageId ?? this.#freeId();
    entry.messageId = messageId;
    this.#inFlight.set(messageId, entry);
    const { packet } = entry;
    return packet.cmd === 'publish'
      ? writeToStream({ ...packet, messageId, dup: again }, client.conn) // [MQTT-3.3.1-1]
      : writeToStream({ ...packet, messageId }, client.conn);
  }

  #freeId(): number {
    do this.#latestId = (this.#latestId % lastMessageId) + 1;
    while (this.#inFlight.has(this.#latestId));
    return this.#latestId;
  }
}
