import { Fifo } from './fifo.ts';
import { isExpired } from './message.ts';
import { PacketIds } from './packet-ids.ts';
import { encodePublish } from './publish-packet.ts';
import { mixWithinSeconds } from './redelivery-order.ts';
import { SendWindow } from './send-window.ts';
import type { World } from '../kernel/world.ts';
import type { Delivery } from './delivery.ts';
import type { DropCause, Ledger } from './ledger.ts';
import type { BrokerProfile } from './profile.ts';
import type { Packet } from 'mqtt-packet';

/** The parts of a connection that the outbox uses. */
export interface OutboxConnection {
  /** The process of the client; undefined if it is not known. */
  readonly process: symbol | undefined;
  readonly version: 4 | 5;
  /** From CONNECT; undefined if the client did not set it (MQTT 5, 3.1.2.11.3). */
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
  /** Called after an acknowledgement has made room for another message. */
  onRoom: () => void;
}

/** The queued and unacknowledged outgoing messages of one session. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #queue = new Fifo<Delivery>();
  /** Unacknowledged deliveries by packet identifier, in the order of sending. */
  readonly #inFlight = new Map<number, Delivery>();
  /** Deliveries that are not sent before the next connection (`strands`). */
  #stranded: Delivery[] = [];
  readonly #packetIds = new PacketIds();
  readonly #window: SendWindow;
  /** Whether any queued message may expire; otherwise the queue is not searched. */
  #mayExpire = false;
  #line: OutboxConnection | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#window = new SendWindow(options.profile.inFlight);
  }

  /** Whether a message would be sent at once. */
  get hasRoom(): boolean {
    return this.#line !== undefined && this.#queue.length === 0 && this.#window.hasRoom;
  }

  /** Whether no message is queued or unacknowledged. */
  get isIdle(): boolean {
    return this.#line !== undefined && this.#queue.length + this.#inFlight.size === 0;
  }

  offer(delivery: Delivery): void {
    const { ledger, clientId } = this.#options;
    if (delivery.qos === 0 && this.#line !== undefined) {
      this.#send(delivery, this.#line);
      return;
    }
    if (delivery.qos === 0 && !this.#options.profile.queue.keepsQos0) {
      ledger.dropped(delivery.record, 'offlineQos0');
      return;
    }
    if (!this.hasRoom && !this.#makePlace(delivery)) return;
    ledger.queued(delivery.record, clientId);
    this.#mayExpire ||= delivery.record.message.expiresAt !== undefined;
    this.#queue.push(delivery);
    this.#pump();
  }

  /** Redelivers unacknowledged messages, then sends queued ones [MQTT-4.4.0-1]. */
  connected(line: OutboxConnection): void {
    const { profile, world } = this.#options;
    this.#line = line;
    this.#window.open(line.receiveMaximum);
    if (profile.redelivery.countsQueuedAsSent)
      for (const delivery of this.#queue) delivery.isSent = true;
    if (profile.redelivery.order === 'mixed')
      this.#queue.replace(mixWithinSeconds(this.#queue, world.random));
    this.#pump();
  }

  disconnected(): void {
    this.#line = undefined;
    const deliveries = [...this.#inFlight.values(), ...this.#stranded];
    this.#inFlight.clear();
    this.#stranded = [];
    for (const delivery of deliveries)
      this.#options.ledger.queued(delivery.record, this.#options.clientId);
    this.#queue.unshift(deliveries);
  }

  /** PUBACK [MQTT-4.3.2-5], or PUBREC with a reason code of 0x80 or more. */
  acknowledged(packetId: number): void {
    const delivery = this.#inFlight.get(packetId);
    if (delivery !== undefined) this.#finish(packetId, delivery);
  }

  /** PUBREC. @returns whether a message of QoS 2 has this packet identifier */
  received(packetId: number): boolean {
    const delivery = this.#inFlight.get(packetId);
    if (delivery?.qos !== 2) return false;
    delivery.isReleased = true;
    this.#options.ledger.acknowledged(delivery.record);
    return true;
  }

  /** PUBCOMP. */
  completed(packetId: number): void {
    const delivery = this.#inFlight.get(packetId);
    if (delivery?.isReleased === true) this.#finish(packetId, delivery);
  }

  /** All incomplete deliveries, in the order of sending. */
  deliveries(): Delivery[] {
    return [...this.#inFlight.values(), ...this.#stranded, ...this.#queue];
  }

  /** Removes deliveries of an outbox without a connection. @returns the removed deliveries */
  extract(isWanted: (delivery: Delivery) => boolean): Delivery[] {
    const { true: wanted = [], false: others = [] } = Object.groupBy(this.#queue, (delivery) =>
      isWanted(delivery) ? 'true' : 'false',
    );
    for (const delivery of wanted) this.#freePacketId(delivery);
    this.#queue.replace(others);
    return wanted;
  }

  /** Restores deliveries that an earlier process of the broker saved. */
  restore(deliveries: readonly Delivery[]): void {
    for (const delivery of deliveries) {
      if (delivery.packetId !== undefined) this.#packetIds.reserve(delivery.packetId);
      this.#queue.push(delivery);
    }
    this.#mayExpire = true;
  }

  dropAll(cause: DropCause): void {
    for (const delivery of this.deliveries()) this.#options.ledger.dropped(delivery.record, cause);
    this.#queue.replace([]);
    this.#inFlight.clear();
    this.#stranded = [];
  }

  dropExpired(): void {
    if (!this.#mayExpire) return;
    const now = this.#options.world.now();
    const kept = [...this.#queue].filter((delivery) => !this.#dropIfExpired(delivery, now));
    this.#mayExpire = kept.some(({ record }) => record.message.expiresAt !== undefined);
    if (kept.length < this.#queue.length) this.#queue.replace(kept);
  }

  /** @returns whether the message may be queued */
  #makePlace(delivery: Delivery): boolean {
    const { ledger, profile } = this.#options;
    const { max, drops } = profile.queue;
    if (max === 0 || this.#queue.length < max) return true;
    this.dropExpired();
    if (this.#queue.length < max) return true;
    if (drops === 'newest') {
      ledger.dropped(delivery.record, 'queueFull');
      return false;
    }
    const oldest = this.#queue.shift();
    if (oldest !== undefined) {
      this.#freePacketId(oldest);
      ledger.dropped(oldest.record, 'queueFull');
    }
    return true;
  }

  /** Sends queued messages. @param extra number of messages that may exceed the quota */
  #pump(extra = 0): void {
    const line = this.#line;
    const { inFlight, redelivery } = this.#options.profile;
    const strands = inFlight.receiveMaximum === 'strands';
    let sent = 0;
    for (let delivery = this.#queue.peek(); delivery !== undefined; delivery = this.#queue.peek()) {
      const isOverdue = !redelivery.keepsToMaximum && delivery.isSent;
      const isFull = !this.#window.hasRoom && sent >= extra && !isOverdue;
      if (line === undefined || (isFull && !strands)) return;
      this.#queue.shift();
      sent += 1;
      if (this.#dropIfExpired(delivery, this.#options.world.now())) continue;
      if (isFull) this.#stranded.push(delivery);
      else this.#send(delivery, line);
    }
  }

  #send(delivery: Delivery, line: OutboxConnection): void {
    const { ledger, profile, world, clientId } = this.#options;
    const messageId = delivery.qos > 0 ? (delivery.packetId ??= this.#packetIds.next()) : undefined;
    if (delivery.isReleased && messageId !== undefined) {
      this.#fly(messageId, delivery);
      line.send({ cmd: 'pubrel', messageId, reasonCode: 0 });
      return;
    }
    const dup = delivery.isSent && profile.redelivery.marksDup;
    const bytes = encodePublish(delivery, { version: line.version, dup, now: world.now() });
    if (bytes.length > (line.maximumPacketSize ?? Infinity)) {
      this.#freePacketId(delivery);
      ledger.dropped(delivery.record, 'tooLarge');
      return;
    }
    delivery.isSent = true;
    if (messageId !== undefined) this.#fly(messageId, delivery);
    const { process } = line;
    ledger.sent(delivery.record, { process, clientId, packetId: messageId, dup });
    line.write(bytes);
  }

  #finish(packetId: number, delivery: Delivery): void {
    this.#options.ledger.acknowledged(delivery.record);
    const before = () => [...this.#inFlight.keys()].indexOf(packetId);
    const freed = this.#window.acknowledged(before, this.#inFlight.size - 1);
    this.#inFlight.delete(packetId);
    this.#packetIds.free(packetId);
    this.#pump(freed);
    this.#options.onRoom();
  }

  #fly(packetId: number, delivery: Delivery): void {
    this.#inFlight.set(packetId, delivery);
    this.#window.sent();
  }

  #dropIfExpired(delivery: Delivery, now: number): boolean {
    if (delivery.isReleased || !isExpired(delivery.record.message, now)) return false;
    this.#freePacketId(delivery);
    this.#options.ledger.dropped(delivery.record, 'expired');
    return true;
  }

  #freePacketId(delivery: Delivery): void {
    if (delivery.packetId !== undefined) this.#packetIds.free(delivery.packetId);
    delivery.packetId = undefined;
  }
}
