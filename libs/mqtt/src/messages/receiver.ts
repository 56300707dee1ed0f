import { LinkedList } from '../linked-list.ts';
import { RedeliverableMessage } from './redeliverable-message.ts';
import { LatestByTopic } from './latest-by-topic.ts';
import { UnreleasedMessage } from './unreleased-message.ts';
import { RetainedReplays } from './retained-replays.ts';
import { SessionDeliveries } from './session-deliveries.ts';
import { isUnsharedCopy } from '../subscriptions/subscription-identifiers.ts';
import type { IPublishPacket } from 'mqtt';
import type { AcknowledgementGate } from '../gate/acknowledgement-gate.ts';
import type { SubscriberOptions } from '../options/subscriber-options.ts';
import type { Window } from '../gate/window.ts';

/** Topics whose latest message is remembered, at about 300 bytes each. */
const maxTopics = 10_000;

/**
 * Messages of a session that the broker may have in flight. The window does not limit them: MQTT 3.1.1
 * has no Receive Maximum, and some brokers exceed that of MQTT 5 when they deliver again (mochi,
 * Mosquitto). Brokers allow 20 (Mosquitto) to 8,192 (mochi) by default. About 300 bytes each.
 */
const maxInFlight = 10_000;

/** Turns received packets into messages, and gives out each message once. */
export class Receiver {
  readonly #options: SubscriberOptions;
  readonly #window: Window;
  /** Messages that are not released. */
  readonly #held = new LinkedList<UnreleasedMessage>();
  readonly #deliveries: SessionDeliveries;
  readonly #latest = new LatestByTopic(maxTopics);
  readonly #replays: RetainedReplays;
  /** Whether further messages are discarded. */
  isDiscarding = false;
  received = 0;

  constructor(options: SubscriberOptions, window: Window) {
    this.#options = options;
    this.#window = window;
    this.#replays = new RetainedReplays({ version: options.version, maxTopics });
    this.#deliveries = new SessionDeliveries(Math.max(options.window, maxInFlight));
  }

  get unacknowledged(): number {
    return this.#held.size;
  }

  /** Milliseconds of the monotonic clock. */
  get oldestUnacknowledgedAt(): number | undefined {
    return this.#held.first?.since;
  }

  connected(sessionPresent: boolean): void {
    this.#deliveries.connected(sessionPresent);
    this.#replays.connected(sessionPresent);
  }

  pingSent(oldest: number | undefined, subscription: { isSubscribed: boolean }): void {
    this.#deliveries.pingSent(oldest);
    this.#replays.pingSent(subscription);
  }

  pingAnswered(): void {
    if (this.#deliveries.pingAnswered()) this.#replays.drained();
  }

  receive(topic: string, payload: Buffer, packet: IPublishPacket, gate: AcknowledgementGate): void {
    this.received += 1;
    const messageId = packet.qos === 1 ? packet.messageId : undefined;
    const acknowledgement = messageId === undefined ? undefined : gate.hold(messageId);
    if (this.#options.ignores?.(topic, payload) === true) {
      acknowledgement?.becameDurable();
      return;
    }
    // QoS 0 messages are not redelivered: a discarded one is lost.
    const hasRoom = messageId !== undefined || this.#window.hasRoomForQos0;
    if (messageId === undefined && (this.isDiscarding || !hasRoom)) {
      this.#options.metrics.notTaken();
      this.#options.onDropped?.(topic);
      return;
    }
    if (this.isDiscarding) return;
    const redelivered = this.#redelivered(topic, payload, packet);
    const known = redelivered ?? this.#replayed(topic, payload, packet);
    const redeliverable = known ?? new RedeliverableMessage(topic, payload);
    if (acknowledgement !== undefined) redeliverable.whenDurable(acknowledgement);
    // The broker may also redeliver a replayed message, with a packet identifier of its own.
    if (messageId !== undefined && redelivered === undefined) {
      this.#deliveries.add(messageId, redeliverable);
    }
    if (known !== undefined) {
      this.#options.metrics.notTaken();
      this.#options.onRepeated?.(topic);
      return;
    }
    this.#latest.set(topic, redeliverable);
    this.#take(topic, payload, packet, redeliverable);
  }

  /** Called by a message that is durable. */
  released(message: UnreleasedMessage): void {
    this.#held.remove(message);
    this.#options.metrics.released();
    this.#window.remove();
    message.redeliverable.markDurable();
  }

  /** The message that this packet delivers again. */
  #redelivered(
    topic: string,
    payload: Buffer,
    { dup, qos, messageId }: IPublishPacket,
  ): RedeliverableMessage | undefined {
    if (!dup || qos !== 1 || messageId === undefined) return undefined;
    return this.#deliveries.redelivered(messageId, topic, payload);
  }

  /**
   * The message that this replayed retained message repeats. With DUP it is the second delivery of a replay whose first
   * one was lost, maybe before this process started.
   */
  #replayed(
    topic: string,
    payload: Buffer,
    { dup, retain }: IPublishPacket,
  ): RedeliverableMessage | undefined {
    if (!retain) return undefined;
    const known = this.#latest.find(topic, payload);
    const repeated = this.#replays.find(topic, payload); // also notes that the topic was replayed
    return known !== undefined || dup ? known : repeated;
  }

  #take(
    topic: string,
    payload: Buffer,
    packet: IPublishPacket,
    redeliverable: RedeliverableMessage,
  ): void {
    const { metrics, clientId: session, onMessage } = this.#options;
    const isCopy = isUnsharedCopy(this.#options, packet);
    const message = new UnreleasedMessage({
      ...{ owner: this, session, topic, payload, packet, isCopy, redeliverable },
    });
    this.#window.add();
    this.#held.add(message);
    metrics.taken();
    onMessage(message);
  }
}
