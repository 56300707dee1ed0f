import { partitionOf } from '@engawa/mqtt';
import { partitions } from '../world/scale.ts';
import type { Broker, DeliveryRecord, Message } from '../broker/index.ts';
import type { Scale } from '../world/scale.ts';
import type { MessageOutcome } from './readings-ledger.ts';

export interface MessageOutcomesOptions extends Pick<Scale, 'profile' | 'sharing'> {
  broker: Broker;
  /** Whether a replica opens this session; the broker goes on queueing for one that could not leave its group. */
  isServed: (clientId: string) => boolean;
  /** Milliseconds of the world's time. */
  now: () => number;
  /** The world's wall clock when it began (epoch milliseconds). */
  epochMs: number;
}

/** Members of a group. */
const replicaNames = ['ingestion-0', 'ingestion-1', 'ingestion-2'];
/** Milliseconds; a process subscribes as soon as it is connected. */
const subscribeWithinMs = 5000;

interface Publication {
  message: Message;
  /** The session that must store it; undefined if any member of the group may. */
  owner: string | undefined;
  /** The broker had lost the subscription, as its profile allows, and no replica could have resubscribed since. */
  isUnheard: boolean;
  deliveries: Set<DeliveryRecord>;
}

/**
 * The outcome of each message at the broker: whether the services must store its readings. They must from their first
 * subscription on, unless the broker's profile allows it to drop messages or subscriptions in the deployment of
 * docs/brokers.md.
 */
export class MessageOutcomes {
  readonly #options: MessageOutcomesOptions;
  readonly #publications = new Map<number, Publication>();
  /** When a session was seen subscribed (milliseconds of the world's time), by client identifier. */
  readonly #subscribedAt = new Map<string | undefined, number>();

  #expectedAt = 0;

  constructor(options: MessageOutcomesOptions) {
    this.#options = options;
  }

  /**
   * Call it as soon as the broker has taken a message.
   * @returns the message's outcome; each call of the function returns the current one
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
   * Call it when all replicas must have resubscribed after the last fault: from now on lost
   * subscriptions are no excuse.
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

  /** Messages that were taken, that the broker may deliver, and that no replica has acknowledged, the oldest first. */
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
    // A group that finds its subscription forgotten gets what is retained, in MQTT 5 too.
    const mayRepeat = sharing === 'group' && profile.retained.replayedToGroups;
    // One that was under way when its process ended comes to the next one as a message that was not acknowledged.
    const replays = [...deliveries].filter(
      (record) => record.isReplay && (mayRepeat || record.attempts > 1),
    );
    const isAcknowledged = own.some(({ state }) => state === 'acknowledged');
    // A broker that does not set DUP brings a replay again as another message, too.
    const replayed = replays.reduce((sum, record) => sum + record.attempts, 0);
    const attempts = Math.max(0, ...own.map((record) => record.attempts)) + replayed;
    const last = Math.max(-Infinity, ...[...own, ...replays].map(({ changedAt }) => changedAt));
    return {
      ...{ isLost, isAcknowledged, attempts },
      deliveredAt: last === -Infinity ? undefined : epochMs + last,
    };
  }

  /** Those that bring the message to who has to store it. */
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
   * It is queued for a replica that has been taken away, or, where the broker loses what goes
   * beyond a window, until the next connection.
   */
  #isStuck({ state, session }: DeliveryRecord): boolean {
    const { profile, isServed } = this.#options;
    if (session !== undefined && !isServed(session)) return true;
    return state === 'queued' && profile.inFlight.receiveMaximum === 'strands';
  }

  #isLostByRule(record: DeliveryRecord): boolean {
    const { state, cause } = record;
    if (state === 'queued' || state === 'inFlight') return this.#isStuck(record);
    if (state !== 'dropped') return false;
    if (cause === 'restart') return this.#forgetsInRestart;
    if (cause === 'kill') return this.#options.profile.durability.onKill !== 'kept';
    return cause === 'queueFull' || cause === 'sessionEnded';
  }

  #ownerOf(topic: string): string | undefined {
    const { sharing } = this.#options;
    if (sharing === 'group') return undefined;
    return sharing === 'alone' ? 'ingestion-0' : `ingestion-p${partitionOf(topic, partitions)}`;
  }

  /**
   * Whether the broker has forgotten the subscription since it was seen last, and there was no time
   * to subscribe again.
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
