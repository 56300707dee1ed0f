import { Fifo } from './fifo.ts';
import { isExpired } from './message.ts';
import { PacketIds } from './packet-ids.ts';
import { encodePublish } from './publish-packet.ts';
import { mixWithinSeconds } from './redelivery-order.ts';
import { SendWindow } from './send-window.ts';
import type { World } from '../kernel/world.ts';
import type { Entry } from './entry.ts';
import type { DropCause, Ledger } from './ledger.ts';
import type { BrokerProfile } from './profile.ts';
import type { Packet } from 'mqtt-packet';

/** The connection, as far as messages go over it. */
export interface Line {
  readonly version: 4 | 5;
  /** What the client said, where it did (MQTT 5, 3.1.2.11.3). */
  readonly receiveMaximum: number | undefined;
  /** Bytes (MQTT 5, 3.1.2.11.4). */
  readonly maximumPacketSize: number | undefined;
  send(packet: Packet): void;
  write(bytes: Buffer): void;
}

export interface OutboxOptions {
  world: World;
  profile: BrokerProfile;
  ledger: Ledger;
  clientId: string;
  /** An acknowledgement has made room for another message. */
  onRoom: () => void;
}

/** The messages of one session on their way to its client: those that wait, and those that are not acknowledged. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #queue = new Fifo<Entry>();
  /** By packet identifier, in the order in which they were sent. */
  readonly #inFlight = new Map<number, Entry>();
  /** Not sent before the next connection (`strands`). */
  #stranded: Entry[] = [];
  readonly #packetIds = new PacketIds();
  readonly #window: SendWindow;
  /** Whether anything in the queue may expire; otherwise it is not searched. */
  #mayExpire = false;
  #line: Line | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#window = new SendWindow(options.profile.inFlight);
  }

  /** Whether a message would be sent at once. */
  get hasRoom(): boolean {
    return this.#line !== undefined && this.#queue.length === 0 && this.#window.hasRoom;
  }

  /** Whether nothing waits and nothing is unacknowledged. */
  get isIdle(): boolean {
    return this.#line !== undefined && this.#queue.length + this.#inFlight.size === 0;
  }

  offer(entry: Entry): void {
    const { ledger, clientId } = this.#options;
    if (entry.qos === 0 && this.#line !== undefined) {
      this.#send(entry, this.#line);
      return;
    }
    if (entry.qos === 0 && !this.#options.profile.queue.keepsQos0) {
      ledger.dropped(entry.record, 'offlineQos0');
      return;
    }
    if (!this.hasRoom && !this.#makePlace(entry)) return;
    ledger.queued(entry.record, clientId);
    this.#mayExpire ||= entry.record.message.expiresAt !== undefined;
    this.#queue.push(entry);
    this.#pump();
  }

  /** Sends what is not acknowledged again, and then what waited [MQTT-4.4.0-1]. */
  connected(line: Line): void {
    const { profile, world } = this.#options;
    this.#line = line;
    this.#window.open(line.receiveMaximum);
    if (profile.redelivery.countsQueuedAsSent) for (const entry of this.#queue) entry.isSent = true;
    if (profile.redelivery.order === 'mixed')
      this.#queue.replace(mixWithinSeconds(this.#queue, world.random));
    this.#pump();
  }

  disconnected(): void {
    this.#line = undefined;
    const entries = [...this.#inFlight.values(), ...this.#stranded];
    this.#inFlight.clear();
    this.#stranded = [];
    for (const entry of entries) this.#options.ledger.queued(entry.record, this.#options.clientId);
    this.#queue.unshift(entries);
  }

  /** PUBACK [MQTT-4.3.2-5], or PUBREC with a reason code of 0x80 or more. */
  acknowledged(packetId: number): void {
    const entry = this.#inFlight.get(packetId);
    if (entry !== undefined) this.#finish(packetId, entry);
  }

  /** PUBREC. @returns whether there is such a message of QoS 2 */
  received(packetId: number): boolean {
    const entry = this.#inFlight.get(packetId);
    if (entry?.qos !== 2) return false;
    entry.isReleased = true;
    this.#options.ledger.acknowledged(entry.record);
    return true;
  }

  /** PUBCOMP. */
  completed(packetId: number): void {
    const entry = this.#inFlight.get(packetId);
    if (entry?.isReleased === true) this.#finish(packetId, entry);
  }

  /** All that is not done with, in the order of sending. */
  entries(): Entry[] {
    return [...this.#inFlight.values(), ...this.#stranded, ...this.#queue];
  }

  /** Removes entries of an outbox without a connection. @returns them */
  extract(isWanted: (entry: Entry) => boolean): Entry[] {
    const { true: wanted = [], false: others = [] } = Object.groupBy(this.#queue, (entry) =>
      isWanted(entry) ? 'true' : 'false',
    );
    for (const entry of wanted) this.#freePacketId(entry);
    this.#queue.replace(others);
    return wanted;
  }

  /** Takes over what an earlier process of the broker saved. */
  restore(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (entry.packetId !== undefined) this.#packetIds.reserve(entry.packetId);
      this.#queue.push(entry);
    }
    this.#mayExpire = true;
  }

  dropAll(cause: DropCause): void {
    for (const entry of this.entries()) this.#options.ledger.dropped(entry.record, cause);
    this.#queue.replace([]);
    this.#inFlight.clear();
    this.#stranded = [];
  }

  dropExpired(): void {
    if (!this.#mayExpire) return;
    const now = this.#options.world.now();
    const kept = [...this.#queue].filter((entry) => !this.#dropIfExpired(entry, now));
    this.#mayExpire = kept.some(({ record }) => record.message.expiresAt !== undefined);
    if (kept.length < this.#queue.length) this.#queue.replace(kept);
  }

  /** @returns whether the message may be queued */
  #makePlace(entry: Entry): boolean {
    const { ledger, profile } = this.#options;
    const { max, drops } = profile.queue;
    if (max === 0 || this.#queue.length < max) return true;
    this.dropExpired();
    if (this.#queue.length < max) return true;
    if (drops === 'newest') {
      ledger.dropped(entry.record, 'queueFull');
      return false;
    }
    const oldest = this.#queue.shift();
    if (oldest !== undefined) {
      this.#freePacketId(oldest);
      ledger.dropped(oldest.record, 'queueFull');
    }
    return true;
  }

  /** @param extra how many messages may be sent regardless of the quota */
  #pump(extra = 0): void {
    const line = this.#line;
    const { inFlight, redelivery } = this.#options.profile;
    const strands = inFlight.receiveMaximum === 'strands';
    let sent = 0;
    for (let entry = this.#queue.peek(); entry !== undefined; entry = this.#queue.peek()) {
      const isOverdue = !redelivery.keepsToMaximum && entry.isSent;
      const isFull = !this.#window.hasRoom && sent >= extra && !isOverdue;
      if (line === undefined || (isFull && !strands)) return;
      this.#queue.shift();
      sent += 1;
      if (this.#dropIfExpired(entry, this.#options.world.now())) continue;
      if (isFull) this.#stranded.push(entry);
      else this.#send(entry, line);
    }
  }

  #send(entry: Entry, line: Line): void {
    const { ledger, profile, world } = this.#options;
    const messageId = entry.qos > 0 ? (entry.packetId ??= this.#packetIds.next()) : undefined;
    if (entry.isReleased && messageId !== undefined) {
      this.#fly(messageId, entry);
      line.send({ cmd: 'pubrel', messageId, reasonCode: 0 });
      return;
    }
    const dup = entry.isSent && profile.redelivery.marksDup;
    const bytes = encodePublish(entry, { version: line.version, dup, now: world.now() });
    if (bytes.length > (line.maximumPacketSize ?? Infinity)) {
      this.#freePacketId(entry);
      ledger.dropped(entry.record, 'tooLarge');
      return;
    }
    entry.isSent = true;
    if (messageId !== undefined) this.#fly(messageId, entry);
    ledger.sent(entry.record);
    line.write(bytes);
  }

  #finish(packetId: number, entry: Entry): void {
    this.#options.ledger.acknowledged(entry.record);
    const before = () => [...this.#inFlight.keys()].indexOf(packetId);
    const freed = this.#window.acknowledged(before, this.#inFlight.size - 1);
    this.#inFlight.delete(packetId);
    this.#packetIds.free(packetId);
    this.#pump(freed);
    this.#options.onRoom();
  }

  #fly(packetId: number, entry: Entry): void {
    this.#inFlight.set(packetId, entry);
    this.#window.sent();
  }

  #dropIfExpired(entry: Entry, now: number): boolean {
    if (entry.isReleased || !isExpired(entry.record.message, now)) return false;
    this.#freePacketId(entry);
    this.#options.ledger.dropped(entry.record, 'expired');
    return true;
  }

  #freePacketId(entry: Entry): void {
    if (entry.packetId !== undefined) this.#packetIds.free(entry.packetId);
    entry.packetId = undefined;
  }
}
