import { Group } from './group.ts';
import { compareVagueness, matchesTopic } from './topics.ts';
import type { GroupOptions } from './group.ts';
import type { Message } from './message.ts';
import type { Session, Subscription } from './session.ts';
import type { TopicFilter } from './topics.ts';
import type { QoS } from 'mqtt-packet';

type RouterOptions = Omit<GroupOptions, 'filter'>;

interface Subscribers {
  readonly filter: TopicFilter;
  readonly bySession: Map<Session, Subscription>;
}

/** Routes messages to the sessions and groups of matching subscriptions, in the order of subscribing. */
export class Router {
  readonly #options: RouterOptions;
  readonly #subscribers = new Map<string, Subscribers>();
  readonly #groups = new Map<string, Group>();

  constructor(options: RouterOptions) {
    this.#options = options;
  }

  groups(): IterableIterator<Group> {
    return this.#groups.values();
  }

  group(filter: string): Group | undefined {
    return this.#groups.get(filter);
  }

  subscribe(session: Session, subscription: Subscription): void {
    const { filter } = subscription;
    session.subscriptions.set(filter.text, subscription);
    if (filter.group !== undefined) {
      const group = this.#groups.get(filter.text) ?? new Group({ ...this.#options, filter });
      this.#groups.set(filter.text, group);
      group.join(session, subscription);
      return;
    }
    const known = this.#subscribers.get(filter.text) ?? { filter, bySession: new Map() };
    this.#subscribers.set(filter.text, known);
    known.bySession.set(session, subscription);
  }

  /** @returns whether the subscription existed */
  unsubscribe(session: Session, filter: string): boolean {
    const existed = session.subscriptions.delete(filter);
    const subscribers = this.#subscribers.get(filter);
    subscribers?.bySession.delete(session);
    if (subscribers?.bySession.size === 0) this.#subscribers.delete(filter);
    const group = this.#groups.get(filter);
    group?.leave(session);
    if (group?.isEmpty === true) {
      group.dropQueue('sessionEnded');
      this.#groups.delete(filter);
    }
    return existed;
  }

  /** @returns whether any subscription matches the message's topic */
  route(message: Message): boolean {
    const levels = message.topic.split('/');
    const matching = new Map<Session, Subscription[]>();
    let isMatched = false;
    for (const { filter, bySession } of this.#subscribers.values()) {
      if (!matchesTopic(filter.levels, levels)) continue;
      isMatched = true;
      for (const [session, subscription] of bySession) {
        if (subscription.noLocal && session.clientId === message.publisher) continue;
        const others = matching.get(session);
        if (others === undefined) matching.set(session, [subscription]);
        else others.push(subscription);
      }
    }
    for (const [session, subscriptions] of matching) this.#deliver(message, session, subscriptions);
    for (const group of this.#groups.values()) {
      if (!matchesTopic(group.filter.levels, levels)) continue;
      isMatched = true;
      group.take(message);
    }
    return isMatched;
  }

  /** Client identifiers of all sessions with a subscription, shared or not, that matches the topic. */
  subscribersOf(topic: string): Set<string> {
    const levels = topic.split('/');
    const plain = [...this.#subscribers.values()].filter(({ filter }) =>
      matchesTopic(filter.levels, levels),
    );
    const groups = [...this.#groups.values()].filter(({ filter }) =>
      matchesTopic(filter.levels, levels),
    );
    const sessions = [
      ...plain.flatMap(({ bySession }) => [...bySession.keys()]),
      ...groups.flatMap(({ sessions: members }) => members),
    ];
    return new Set(sessions.map(({ clientId }) => clientId));
  }

  /** Sends a retained message for a new subscription [MQTT-3.3.1-9]. */
  replay(message: Message, session: Session, subscription: Subscription): void {
    this.#offer(message, session, [subscription], true);
  }

  /** Updates outbox and groups of a session that has lost its connection. */
  disconnected(session: Session): void {
    session.outbox.disconnected();
    if (this.#options.profile.groups.queuedBy === 'member') return;
    for (const filter of session.subscriptions.keys()) {
      const group = this.#groups.get(filter);
      if (group === undefined) continue;
      const deliveries = session.outbox.extract(
        ({ record, isReleased }) => record.group === filter && !isReleased,
      );
      group.takeBack(deliveries.map(({ record }) => record));
    }
  }

  /** Removes all subscriptions of a session that ends without a connection. */
  sessionEnded(session: Session): void {
    const filters = [...session.subscriptions.keys()];
    const isRedistributed = this.#options.profile.groups.endedMember === 'redistributed';
    const shared = isRedistributed
      ? session.outbox.extract(
          ({ record, isReleased }) => record.group !== undefined && !isReleased,
        )
      : [];
    for (const filter of filters) this.unsubscribe(session, filter);
    session.outbox.dropAll('sessionEnded');
    for (const { record } of shared) {
      const group = this.#groups.get(record.group ?? '');
      if (group === undefined) this.#options.ledger.dropped(record, 'sessionEnded');
      else group.offer(record);
    }
  }

  #deliver(message: Message, session: Session, subscriptions: Subscription[]): void {
    const rule = this.#options.profile.overlappingSubscriptions;
    if (rule === 'merged') {
      this.#offer(message, session, subscriptions, false);
      return;
    }
    if (rule === 'eachInMqtt5' && session.version === 4) {
      this.#offer(message, session, [mostPrecise(message, session, subscriptions)], false);
      return;
    }
    for (const subscription of subscriptions) this.#offer(message, session, [subscription], false);
  }

  #offer(
    message: Message,
    session: Session,
    subscriptions: readonly Subscription[],
    isReplay: boolean,
  ): void {
    const { ledger, isDenied } = this.#options;
    const readable = subscriptions.filter(({ filter }) => !isDenied(filter.text, session));
    const highest = Math.max(...subscriptions.map(({ qos }) => qos));
    const qos = Math.min(message.qos, highest) as QoS;
    const group = undefined;
    const record = ledger.add({ message, session: session.clientId, group, qos, isReplay });
    if (readable.length === 0) {
      ledger.dropped(record, 'denied');
      return;
    }
    session.outbox.offer({
      record,
      qos,
      retain: isReplay || (message.retain && readable.some((one) => one.retainAsPublished)),
      identifiers: readable.flatMap(({ identifier }) => identifier ?? []),
      packetId: undefined,
      isSent: false,
      isReleased: false,
    });
  }
}

/** The most specific subscription; without a connection, the first one that queues the message. */
function mostPrecise(
  message: Message,
  session: Session,
  subscriptions: readonly Subscription[],
): Subscription {
  const [first, ...others] = subscriptions.toSorted((one, other) =>
    compareVagueness(one.filter.levels, other.filter.levels),
  );
  if (first === undefined) throw new Error('no subscription matches');
  if (session.connection !== undefined || message.qos === 0) return first;
  return [first, ...others].find(({ qos }) => qos > 0) ?? first;
}
