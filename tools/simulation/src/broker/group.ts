import { Fifo } from './fifo.ts';
import { isExpired } from './message.ts';
import type { World } from '../kernel/world.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryRecord, DropCause, Ledger } from './ledger.ts';
import type { Message } from './message.ts';
import type { BrokerProfile } from './profile.ts';
import type { Session, Subscription } from './session.ts';
import type { TopicFilter } from './topics.ts';
import type { QoS } from 'mqtt-packet';

interface Member {
  readonly session: Session;
  subscription: Subscription;
}

export interface GroupOptions {
  filter: TopicFilter;
  world: World;
  profile: BrokerProfile;
  ledger: Ledger;
  /** @param session undefined for all members of a group */
  isDenied: (filter: string, session?: Session) => boolean;
}

/** The sessions of one shared subscription; each message goes to one of the sessions (MQTT 5, 4.8.2). */
export class Group {
  readonly filter: TopicFilter;
  readonly #options: GroupOptions;
  /** In round-robin order: the first member receives the next message, and moves to the end. */
  #members: Member[] = [];
  /** Messages that are not assigned to a member; used if the group queues (`queuedBy`). */
  readonly #queue = new Fifo<DeliveryRecord>();
  /** Whether any queued message may expire; otherwise the queue is not searched. */
  #mayExpire = false;
  /** No message is delivered before this time (milliseconds of the world's time). */
  #stalledUntil = 0;

  constructor(options: GroupOptions) {
    this.#options = options;
    this.filter = options.filter;
  }

  get isEmpty(): boolean {
    return this.#members.length === 0;
  }

  /** Sessions of all members. */
  get sessions(): Session[] {
    return this.#members.map(({ session }) => session);
  }

  get queued(): DeliveryRecord[] {
    return [...this.#queue];
  }

  join(session: Session, subscription: Subscription): void {
    const member = this.#members.find((known) => known.session === session);
    if (member === undefined) this.#members.push({ session, subscription });
    else member.subscription = subscription;
    this.pump();
  }

  leave(session: Session): void {
    this.#members = this.#members.filter((member) => member.session !== session);
  }

  take(message: Message): void {
    const { ledger, isDenied } = this.#options;
    const group = this.filter.text;
    const highest = Math.max(0, ...this.#members.map(({ subscription }) => subscription.qos));
    const qos = Math.min(message.qos, highest) as QoS;
    const record = ledger.add({ message, session: undefined, group, qos, isReplay: false });
    if (isDenied(group)) ledger.dropped(record, 'denied');
    else this.offer(record);
  }

  /** Delivers a message to a member, at once or, if the group queues, as soon as a member has room. */
  offer(record: DeliveryRecord): void {
    if (this.#options.profile.groups.queuedBy === 'member') {
      this.#deliver(record, this.#nextMember());
      return;
    }
    if (record.qos === 0 && !this.#members.some(({ session }) => session.connection)) {
      this.#options.ledger.dropped(record, 'offlineQos0');
      return;
    }
    if (!this.#makePlace(record)) return;
    this.#mayExpire ||= record.message.expiresAt !== undefined;
    this.#queue.push(record);
    this.pump();
  }

  /** Returns unacknowledged messages of a disconnected member to the front of the queue. */
  takeBack(records: readonly DeliveryRecord[]): void {
    for (const record of records) this.#options.ledger.queued(record, undefined);
    this.#mayExpire = true;
    this.#queue.unshift(records);
    this.pump();
  }

  /** Delivers queued messages to members without unacknowledged messages, up to the send window of each. */
  pump(): void {
    if (this.#options.world.now() < this.#stalledUntil) return;
    while (this.#queue.length > 0) {
      const member = this.#members.find(({ session }) => session.outbox.isIdle);
      if (member === undefined) return;
      this.#toTheEnd(member);
      const next = () => (member.session.outbox.hasRoom ? this.#queue.shift() : undefined);
      for (let record = next(); record !== undefined; record = next())
        this.#deliver(record, member);
    }
  }

  dropExpired(): void {
    if (!this.#mayExpire) return;
    const { ledger, world } = this.#options;
    const kept: DeliveryRecord[] = [];
    for (const record of this.#queue)
      if (isExpired(record.message, world.now())) ledger.dropped(record, 'expired');
      else kept.push(record);
    this.#mayExpire = kept.some(({ message }) => message.expiresAt !== undefined);
    this.#queue.replace(kept);
  }

  stallUntil(time: number): void {
    this.#stalledUntil = time;
  }

  restoreQueue(records: readonly DeliveryRecord[]): void {
    this.#mayExpire = true;
    for (const record of records) this.#queue.push(record);
  }

  dropQueue(cause: DropCause): void {
    for (const record of this.#queue) this.#options.ledger.dropped(record, cause);
    this.#queue.replace([]);
  }

  #nextMember(): Member | undefined {
    const prefersOnline = this.#options.profile.groups.offlineMembers === 'lastResort';
    const online = prefersOnline
      ? this.#members.find(({ session }) => session.connection !== undefined)
      : undefined;
    const member = online ?? this.#members[0];
    if (member !== undefined) this.#toTheEnd(member);
    return member;
  }

  #toTheEnd(member: Member): void {
    this.#members.splice(this.#members.indexOf(member), 1);
    this.#members.push(member);
  }

  #deliver(record: DeliveryRecord, member: Member | undefined): void {
    const { ledger } = this.#options;
    if (member === undefined) {
      ledger.dropped(record, 'sessionEnded');
      return;
    }
    const { session, subscription } = member;
    ledger.queued(record, session.clientId);
    const { qos, retain } = record.message;
    session.outbox.offer({
      record,
      qos: Math.min(qos, subscription.qos) as QoS,
      retain: retain && subscription.retainAsPublished,
      identifiers: subscription.identifier === undefined ? [] : [subscription.identifier],
      packetId: undefined,
      isSent: false,
      isReleased: false,
    } satisfies Delivery);
  }

  #makePlace(record: DeliveryRecord): boolean {
    const { ledger, profile } = this.#options;
    const { max, drops } = profile.queue;
    if (max === 0 || this.#queue.length < max) return true;
    this.dropExpired();
    if (this.#queue.length < max) return true;
    const dropped = drops === 'newest' ? record : this.#queue.shift();
    if (dropped !== undefined) ledger.dropped(dropped, 'queueFull');
    return drops === 'oldest';
  }
}
