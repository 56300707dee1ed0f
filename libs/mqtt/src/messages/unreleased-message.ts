import type { IPublishPacket } from 'mqtt';
import type { Linked } from '../linked-list.ts';
import type { Message } from '../options/message.ts';
import type { UserPropertyPairs } from '../options/user-properties.ts';
import type { RedeliverableMessage } from './redeliverable-message.ts';
import { toPairs } from '../options/user-properties.ts';

/** Receives the end of a message. */
interface MessageOwner {
  released(message: UnreleasedMessage): void;
}

export interface UnreleasedMessageOptions {
  owner: MessageOwner;
  session: string;
  topic: string;
  payload: Buffer;
  packet: IPublishPacket;
  isCopy: boolean;
  redeliverable: RedeliverableMessage;
}

/** A message that was given out and is not released yet. */
export class UnreleasedMessage implements Message, Linked<UnreleasedMessage> {
  readonly topic: string;
  readonly payload: Buffer;
  readonly qos: 0 | 1;
  readonly retained: boolean;
  readonly session: string;
  readonly messageId: number | undefined;
  readonly duplicate: boolean;
  readonly isCopy: boolean;
  readonly userProperties: UserPropertyPairs | undefined;
  readonly receivedAt = Date.now();
  /** Milliseconds of the monotonic clock. */
  readonly since = performance.now();
  readonly redeliverable: RedeliverableMessage;
  readonly #owner: MessageOwner;
  #isReleased = false;
  previous: UnreleasedMessage | undefined;
  next: UnreleasedMessage | undefined;

  constructor({
    owner,
    session,
    topic,
    payload,
    packet,
    isCopy,
    redeliverable,
  }: UnreleasedMessageOptions) {
    this.#owner = owner;
    this.topic = topic;
    this.payload = payload;
    this.qos = packet.qos === 1 ? 1 : 0;
    this.retained = packet.retain;
    this.session = session;
    this.messageId = packet.qos === 1 ? packet.messageId : undefined;
    this.duplicate = packet.dup;
    this.isCopy = isCopy;
    this.userProperties = toPairs(packet.properties?.userProperties);
    this.redeliverable = redeliverable;
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#owner.released(this);
  }
}
