import type { QoS } from 'mqtt-packet';
import type { Message } from './message.ts';

/** The broker's reason for not delivering a message. */
export type DropCause =
  /** No subscription matched; the record has neither session nor group. */
  | 'noSubscription'
  /** The session's queue was full (`queue.max`). */
  | 'queueFull'
  /** QoS 0, and the session had no connection (`queue.keepsQos0`). */
  | 'offlineQos0'
  /** The packet exceeded the client's maximum packet size [MQTT-3.1.2-25]. */
  | 'tooLarge'
  /** The message expiry interval had passed [MQTT-3.3.2-5]. */
  | 'expired'
  /** The subscription was granted, but is denied by the access control list (`deniedSubscription`). */
  | 'denied'
  /** The session ended by a clean start or by expiry. */
  | 'sessionEnded'
  /** Lost in a graceful restart of the broker (`restart`) or by SIGKILL (`kill`; see `durability`). */
  | 'restart'
  | 'kill';

/**
 * `sent` is final for QoS 0; `acknowledged` is final for QoS 1 (PUBACK) and QoS 2 (PUBREC, with which a client takes
 * ownership of a message [MQTT-4.3.3-8]).
 */
export type DeliveryState = 'queued' | 'inFlight' | 'sent' | 'acknowledged' | 'dropped';

/** The delivery of one message to one session or group. */
export interface DeliveryRecord {
  readonly message: Message;
  /** Client identifier of the session; undefined while the message is in a group's own queue. */
  readonly session: string | undefined;
  /** The shared subscription's filter, `$share/group/filter`. */
  readonly group: string | undefined;
  readonly qos: QoS;
  /** Whether the message is a retained one, sent for a new subscription. */
  readonly isReplay: boolean;
  readonly state: DeliveryState;
  /** Undefined unless the message was dropped. */
  readonly cause: DropCause | undefined;
  /** Number of times the message was sent. */
  readonly attempts: number;
  /**
   * Number of these that the client cannot recognize as repetitions: a repetition goes to the same process, with the
   * same packet identifier and DUP, before the broker has received the acknowledgement.
   */
  readonly copies: number;
  /** Whether the first of these had DUP, against the standard [MQTT-3.3.1-2]. */
  readonly isMarkedAtFirst: boolean;
  /** Milliseconds of the world's time. */
  readonly changedAt: number;
}

type Mutable = { -readonly [Key in keyof DeliveryRecord]: DeliveryRecord[Key] };
/** One delivery of a message to a client. */
export interface Sending {
  /** The process of the client; undefined for any. */
  process: symbol | undefined;
  clientId: string;
  /** Undefined for QoS 0. */
  packetId: number | undefined;
  dup: boolean;
}

type NewRecord = Pick<DeliveryRecord, 'message' | 'session' | 'group' | 'qos' | 'isReplay'>;

/** Records the delivery of every message, to distinguish losses of the broker from losses of its clients. */
export class Ledger {
  readonly #now: () => number;
  /** In the order in which the messages were routed. */
  readonly #open = new Set<DeliveryRecord>();
  #settled: DeliveryRecord[] = [];
  readonly #sendings = new WeakMap<DeliveryRecord, Sending[]>();

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
      copies: 0,
      isMarkedAtFirst: false,
      changedAt,
    };
    this.#open.add(added);
    return added;
  }

  queued(record: DeliveryRecord, session: string | undefined): void {
    this.#change(record, { state: 'queued', session });
  }

  sent(record: DeliveryRecord, sending: Sending): void {
    const state = record.qos === 0 ? 'sent' : 'inFlight';
    const sendings = this.#sendings.get(record) ?? [];
    this.#sendings.set(record, sendings);
    const isRepetition =
      this.#open.has(record) && sending.dup && sendings.some((former) => isSame(former, sending));
    sendings.push(sending);
    (record as Mutable).attempts += 1;
    if (record.attempts === 1) (record as Mutable).isMarkedAtFirst = sending.dup;
    if (!isRepetition) (record as Mutable).copies += 1;
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

  /** Removes and returns the records that were completed since the last call. */
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

function isSame(former: Sending, { process, clientId, packetId }: Sending): boolean {
  return former.process === process && former.clientId === clientId && former.packetId === packetId;
}
