import { topicPartitionOf } from '@engawa/mqtt';
import { partitions } from '../world/scale.ts';
import type { Broker, DeliveryRecord, Message } from '../broker/index.ts';
import type { Scale } from '../world/scale.ts';
import type { MessageOutcome } from './expected-readings.ts';

export interface MessageOutcomesOptions extends Pick<Scale, 'profile' | 'sharing'> {
  broker: Broker;
  /** Whether a replica opens this session. Sessions of removed replicas may remain in a group, and queue messages. */
  isServed: (clientId: string) => boolean;
  /** Milliseconds of the world's time. */
  now: () => number;
  /** The world's wall clock when it began (epoch milliseconds). */
  epochMs: number;
}

/** Members of a group. */
const replicaNames = ['ingestion-0', 'ingestion-1', 'ingestion-2'];
/** Maximum milliseconds between connection and subscription of a process. */
const subscribeWithinMs = 5000;

interface Publication {
  message: Message;
  /** The session that must store it; undefined if any member of the group may. */
  owner: string | undefined;
  /** Whether the broker had lost the subscription, as its profile allows, and no replica could have resubscribed. */
  isUnheard: boolean;
  deliveries: Set<DeliveryRecord>;
}

/**
 * Decides for each message whether the services must store its readings. They must store all messages after their first
 * subscription, except those that the broker's profile allows it to drop in the deployment of docs/brokers.md.
 */
export class MessageOutcomes {
  readonly #options: MessageOutcomesOptions;
  readonly #publications = new Map<number, Publication>();
  /** Latest time at which a session was subscribed (milliseconds of the world's time), by client identifier. */
  readonly #subscribedAt = new Map<string | undefined, number>();

  #expectedAt = 0;

  constructor(options: MessageOutcomesOptions) {
    this.#options = options;
  }

  /**
   * Call it as soon as the broker has accepted a message.
   * @returns a function that returns the message's current outcome
   */
  published(message: Message): () => MessageOutcome {
    const owner = this.#ownerOf(message.topic);
    const subscribers = this.#options.broker.subscribersOf(message.topic);
    const isHeard = owner === undefined ? subscribers.size > 0 : subscribers.has(owner);
    if (isHeard) this.#subscribedAt.set(owner, message.takenAt);
    const isUnheard = !isHeard && this.#hasForgotten(owner);
    const publication = { message, owner, isUnheard, deliveries: new Set<DeliveryRecord>() };
    this.#publications.set(message.id, publication);
    return () => this.#fateOf(publication);
  }

  /**
   * Call it after the last fault, when all replicas must have resubscribed: later messages must be
   * stored even if the broker has lost the subscription.
   */
  expectSubscriptions(): void {
    this.#expectedAt = this.#options.now();
  }

  /** Call it periodically, and before outcomes are read. */
  note(): void {
    const { broker } = this.#options;
    for (const record of broker.takeSettledDeliveries()) this.#noteDelivery(record);
    for (const record of broker.openDeliveries()) this.#noteDelivery(record);
  }

  /** Accepted messages that the broker can deliver and no replica has acknowledged, the oldest first. */
  get unacknowledged(): Message[] {
    this.note();
    const waiting = [...this.#publications.values()].filter((publication) =>
      this.#deliveriesOf(publication).some((record) => this.#isUnderWay(record)),
    );
    return waiting.map(({ message }) => message);
  }

  #noteDelivery(record: DeliveryRecord): void {
    this.#publications.get(record.message.id)?.deliveries.add(record);
  }

  #fateOf(publication: Publication): MessageOutcome {
    const { deliveries, isUnheard } = publication;
    const own = this.#deliveriesOf(publication);
    const isLost = isUnheard || own.some((record) => this.#isLostByRule(record));
    const { profile, sharing, epochMs } = this.#options;
    // A group that has lost its subscription gets retained messages when it resubscribes, even with MQTT 5.
    const mayRepeat = sharing === 'group' && profile.retained.replayedToGroups;
    // A replay in flight at the end of a process is redelivered to the next process like any unacknowledged message.
    const replays = [...deliveries].filter(
      (record) => record.isReplay && (mayRepeat || record.copies > 1),
    );
    const isAcknowledged = own.some(({ state }) => state === 'acknowledged');
    const replayed = replays.reduce((sum, record) => sum + record.copies, 0);
    const copies = Math.max(0, ...own.map((record) => record.copies)) + replayed;
    const last = Math.max(-Infinity, ...[...own, ...replays].map(({ changedAt }) => changedAt));
    return {
      ...{ isLost, isAcknowledged, copies },
      deliveredAt: last === -Infinity ? undefined : epochMs + last,
    };
  }

  /** The deliveries to the sessions that must store the message. */
  #deliveriesOf({ owner, deliveries }: Publication): DeliveryRecord[] {
    return [...deliveries].filter(
      ({ isReplay, session }) => !isReplay && (owner === undefined || session === owner),
    );
  }

  #isUnderWay(record: DeliveryRecord): boolean {
    const isOpen = record.state === 'queued' || record.state === 'inFlight';
    return isOpen && !this.#isStuck(record);
  }

  /**
   * Whether the message is queued for a removed replica, or until the next connection, because the
   * broker strands messages beyond the window.
   */
  #isStuck({ state, session }: DeliveryRecord): boolean {
    const { profile, isServed } = this.#options;
    if (session !== undefined && !isServed(session)) return true;
    return state === 'queued' && profile.inFlight.receiveMaximum === 'strands';
  }

  #isLostByRule(record: DeliveryRecord): boolean {
    const { state, cause, isMarkedAtFirst, message } = record;
    // With the packet identifier of an earlier equal message, it is taken for a redelivery of that one.
    if (isMarkedAtFirst && this.#hasEqualBefore(message)) return true;
    if (state === 'queued' || state === 'inFlight') return this.#isStuck(record);
    if (state !== 'dropped') return false;
    if (cause === 'restart') return this.#forgetsInRestart;
    if (cause === 'kill') return this.#options.profile.durability.onKill !== 'kept';
    return cause === 'queueFull' || cause === 'sessionEnded';
  }

  #hasEqualBefore({ id, topic, payload }: Message): boolean {
    return [...this.#publications.values()].some(
      ({ message }) =>
        message.id < id && message.topic === topic && message.payload.equals(payload),
    );
  }

  #ownerOf(topic: string): string | undefined {
    const { sharing } = this.#options;
    if (sharing === 'group') return undefined;
    return sharing === 'alone'
      ? 'ingestion-0'
      : `ingestion-p${topicPartitionOf(topic, partitions)}`;
  }

  /**
   * Whether the broker has lost the subscription since its latest known time, and no replica had
   * time to resubscribe.
   */
  #hasForgotten(owner: string | undefined): boolean {
    const { broker } = this.#options;
    if (this.#hadTimeToSubscribe(owner)) return false;
    const restart = this.#forgetsInRestart ? broker.restarts.get('clean') : undefined;
    const kill = this.#forgetsInKill ? broker.restarts.get('kill') : undefined;
    const last = Math.max(restart ?? -Infinity, kill ?? -Infinity);
    return last >= Math.max(this.#expectedAt, this.#subscribedAt.get(owner) ?? 0);
  }

  #hadTimeToSubscribe(owner: string | undefined): boolean {
    const { broker, now } = this.#options;
    const clients = owner === undefined ? replicaNames : [owner];
    const since = clients.flatMap((client) => broker.connectedAt(client) ?? []);
    return since.some((time) => now() - time > subscribeWithinMs);
  }

  get #forgetsInRestart(): boolean {
    const { durability } = this.#options.profile;
    return durability.onRestart === 'forgotten' || this.#forgetsGroup;
  }

  get #forgetsInKill(): boolean {
    const { onKill } = this.#options.profile.durability;
    const keepsSessions =
      onKill === 'kept' || (typeof onKill === 'object' && 'lostLastMs' in onKill);
    return !keepsSessions || this.#forgetsGroup;
  }

  get #forgetsGroup(): boolean {
    const { profile, sharing } = this.#options;
    return sharing === 'group' && profile.durability.groups === 'forgotten';
  }
}
