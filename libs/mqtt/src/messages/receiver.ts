import { Delivery, fingerprintOf } from './delivery.ts';
import { LatestByTopic } from './latest-by-topic.ts';
import { SessionDeliveries } from './session-deliveries.ts';
import { isUnsharedCopy } from '../subscriptions/subscription-identifiers.ts';
import { toPairs } from '../options/user-properties.ts';
import type { IPublishPacket } from 'mqtt';
import type { AcknowledgementGate } from '../gate/acknowledgement-gate.ts';
import type { Message } from '../options/message.ts';
import type { SubscriberOptions } from '../options/subscriber-options.ts';
import type { Window } from '../gate/window.ts';

/** Topics whose latest message is remembered: some 300 bytes each. */
const maxTopics = 10_000;

/**
 * Messages of a session that the broker may have in flight with MQTT 3.1.1, which has no Receive Maximum, so that the window does not
 * bound them: 20 (Mosquitto) to 8,192 (mochi) by default. Some 300 bytes each.
 */
const maxInFlight = 10_000;

/** Turns what the broker sends into messages, each publication once. */
export class Receiver {
  readonly #options: SubscriberOptions;
  readonly #window: Window;
  /** Each with the time of its receipt: milliseconds of the monotonic clock. */
  readonly #held = new Map<Message, number>();
  readonly #deliveries: SessionDeliveries;
  readonly #latest = new LatestByTopic(maxTopics);
  /** Whether every replayed retained message was received before in the same session. */
  #replaysAreKnown: boolean | undefined;
  /** Whether the latest ping was sent when all subscriptions had been granted. */
  #isSubscribedAtPing = false;
  /** Whether all retained messages have come that were there when the session began. */
  #hasAllRetained = false;
  /** Whether no more messages are taken. */
  isDiscarding = false;
  received = 0;

  constructor(options: SubscriberOptions, window: Window) {
    this.#options = options;
    this.#window = window;
    const { version, window: own } = options;
    this.#deliveries = new SessionDeliveries(version === '5' ? own : Math.max(own, maxInFlight));
  }

  get unacknowledged(): number {
    return this.#held.size;
  }

  /** Milliseconds of the monotonic clock. */
  get oldestUnacknowledgedAt(): number | undefined {
    return this.#held.values().next().value;
  }

  /**
   * MQTT 3.1.1 has no way to subscribe without a replay of retained messages (MQTT 5: Retain Handling). Those of before the
   * session are received once; all later ones come as they are published. So a replay in a session that goes on is known to a
   * process that finds its session, and to one that has received all of the first replay.
   */
  connected(sessionPresent: boolean): void {
    this.#deliveries.connected(sessionPresent);
    const isFirst = this.#replaysAreKnown === undefined;
    const isReplayed = sessionPresent && this.#options.version === '3.1.1';
    const isKnown = isFirst || this.#hasAllRetained || this.#replaysAreKnown === true;
    this.#replaysAreKnown = isReplayed && isKnown;
    this.#hasAllRetained &&= sessionPresent;
    this.#isSubscribedAtPing = false;
  }

  pingSent(oldest: number | undefined, { isSubscribed }: { isSubscribed: boolean }): void {
    this.#deliveries.pingSent(oldest);
    this.#isSubscribedAtPing = isSubscribed;
  }

  pingAnswered(): void {
    const isDrained = this.#deliveries.pingAnswered();
    if (isDrained && this.#isSubscribedAtPing) this.#hasAllRetained = true;
  }

  receive(topic: string, payload: Buffer, packet: IPublishPacket, gate: AcknowledgementGate): void {
    this.received += 1;
    const messageId = packet.qos === 1 ? packet.messageId : undefined;
    const acknowledge = messageId === undefined ? () => undefined : gate.hold(messageId);
    if (this.#options.ignores?.(topic, payload) === true) {
      acknowledge();
      return;
    }
    // Of QoS 0 nothing comes again: a message that is not taken is gone, also while discarding.
    const hasRoom = messageId !== undefined || this.#window.hasRoomForQos0;
    if (messageId === undefined && (this.isDiscarding || !hasRoom)) {
      this.#options.metrics.notTaken();
      this.#options.onDropped?.(topic);
      return;
    }
    if (this.isDiscarding) return;
    const fingerprint = fingerprintOf(topic, payload);
    const known = this.#repeated(topic, fingerprint, packet, messageId);
    if (known !== undefined) {
      // The broker may deliver a replay again as well, under its own packet identifier.
      if (messageId !== undefined && !packet.dup) this.#deliveries.add(messageId, known);
      known.whenDurable(acknowledge);
      this.#options.metrics.notTaken();
      this.#options.onRepeated?.(topic);
      return;
    }
    const delivery = new Delivery(fingerprint);
    delivery.whenDurable(acknowledge);
    this.#latest.set(topic, delivery);
    if (messageId !== undefined) this.#deliveries.add(messageId, delivery);
    this.#take(topic, payload, packet, delivery);
  }

  /** The message that this one repeats. */
  #repeated(
    topic: string,
    fingerprint: string,
    { dup, retain }: IPublishPacket,
    messageId: number | undefined,
  ): Delivery | undefined {
    if (dup && messageId !== undefined) {
      return this.#deliveries.redelivered(messageId, fingerprint);
    }
    if (!retain) return undefined;
    const known = this.#latest.find(topic, fingerprint);
    if (known !== undefined || this.#replaysAreKnown !== true) return known;
    const durable = new Delivery(fingerprint);
    durable.markDurable();
    return durable;
  }

  #take(topic: string, payload: Buffer, packet: IPublishPacket, delivery: Delivery): void {
    const { metrics, clientId, onMessage } = this.#options;
    const message: Message = {
      topic,
      payload,
      qos: packet.qos === 1 ? 1 : 0,
      retained: packet.retain,
      session: clientId,
      messageId: packet.qos === 1 ? packet.messageId : undefined,
      duplicate: packet.dup,
      ...(isUnsharedCopy(this.#options, packet) && { isCopy: true }),
      userProperties: toPairs(packet.properties?.userProperties),
      receivedAt: Date.now(),
      release: () => {
        if (!this.#held.delete(message)) return;
        metrics.released();
        this.#window.remove();
        delivery.markDurable();
      },
    };
    this.#window.add();
    this.#held.set(message, performance.now());
    metrics.taken();
    onMessage(message);
  }
}
