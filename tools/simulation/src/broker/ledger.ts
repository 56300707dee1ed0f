import type { QoS } from 'mqtt-packet';
import type { Message } from './message.ts';

/** The broker's reason for not delivering a message. */
export type DropCause =
  /** No subscription matched; such a record has neither session nor group. */
  | 'noSubscription'
  /** The session's queue was full (`queue.max`). */
  | 'queueFull'
  /** QoS 0 and no connection (`queue.keepsQos0`). */
  | 'offlineQos0'
  /** Above the client's maximum packet size [MQTT-3.1.2-25]. */
  | 'tooLarge'
  /** Message expiry interval [MQTT-3.3.2-5]. */
  | 'expired'
  /** The subscription was granted, but is denied by the access control list (`deniedSubscription`). */
  | 'denied'
  /** The session ended: clean start, expiry. */
  | 'sessionEnded'
  /** Lost in a restart of the broker, graceful or by SIGKILL (`durability`). */
  | 'restart'
  | 'kill';

/**
 * `sent` is the end of a message of QoS 0, `acknowledged` that of others: PUBACK, or PUBREC, with which a client takes
 * a message of QoS 2 [MQTT-4.3.3-8].
 */
export type DeliveryState = 'queued' | 'inFlight' | 'sent' | 'acknowledged' | 'dropped';

/** The delivery of one message to one session or group. */
export interface DeliveryRecord {
  readonly message: Message;
  /** Client identifier of the session; of a group that has a queue of its own, undefined until a member takes it. */
  readonly session: string | undefined;
  /** The shared subscription's filter, `$share/group/filter`. */
  readonly group: string | undefined;
  readonly qos: QoS;
  /** Whether it was sent because it is retained, for a new subscription. */
  readonly isReplay: boolean;
  readonly state: DeliveryState;
  /** Of a dropped message. */
  readonly cause: DropCause | undefined;
  /** Number of times it was sent. */
  readonly attempts: number;
  /** Milliseconds of the world's time. */
  readonly changedAt: number;
}

type Mutable = { -readonly [Key in keyof DeliveryRecord]: DeliveryRecord[Key] };
type NewRecord = Pick<DeliveryRecord, 'message' | 'session' | 'group' | 'qos' | 'isReplay'>;

/** Records the delivery of every message, so that losses of the broker and of its clients can be distinguished. */
export class Ledger {
  readonly #now: () => number;
  /** In the order in which the messages were routed. */
  readonly #open = new Set<DeliveryRecord>();
  #settled: DeliveryRecord[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  add(record: NewRecord): DeliveryRecord {
    const changedAt = this.#now();
    const added: DeliveryRecord = {
      ...record,
      state: 'queued',
      cause: undefined,
      attempts: 0,
      changedAt,
    };
    this.#open.add(added);
    return added;
  }

  queued(record: DeliveryRecord, session: string | undefined): void {
    this.#change(record, { state: 'queued', session });
  }

  sent(record: DeliveryRecord): void {
    const state = record.qos === 0 ? 'sent' : 'inFlight';
    (record as Mutable).attempts += 1;
    this.#change(record, { state });
  }

  acknowledged(record: DeliveryRecord): void {
    this.#change(record, { state: 'acknowledged' });
  }

  dropped(record: DeliveryRecord, cause: DropCause): void {
    this.#change(record, { state: 'dropped', cause });
  }

  /** Records that are queued or in flight, the oldest first. */
  open(): IterableIterator<DeliveryRecord> {
    return this.#open.values();
  }

  /** Returns and forgets the records that were completed since the last call. */
  takeSettled(): DeliveryRecord[] {
    const settled = this.#settled;
    this.#settled = [];
    return settled;
  }

  /**
   * A completed record stays completed, also when a restart restores an older state and the broker
   * redelivers the message.
   */
  #change(record: DeliveryRecord, change: Partial<Mutable>): void {
    if (!this.#open.has(record)) return;
    Object.assign(record, change, { changedAt: this.#now() });
    if (record.state === 'queued' || record.state === 'inFlight') return;
    this.#open.delete(record);
    this.#settled.push(record);
  }
}
