import type { UserPropertyPairs } from './user-properties.ts';

/** A message that the broker brought; not one that it delivers again while the first delivery is known. */
export interface Message {
  topic: string;
  payload: Buffer;
  qos: 0 | 1;
  /** Whether it is a retained message, replayed for a new subscription. */
  retained: boolean;
  /** Client identifier of the session that it came in. */
  session: string;
  /** Packet identifier, of a message with QoS 1. */
  messageId: number | undefined;
  /** Whether the broker may have brought it before (DUP). */
  duplicate: boolean;
  /**
   * Whether it came only because its topic is not shared with the group: a member of the group, this one or another, gets it
   * as well. Known with MQTT 5 only.
   */
  isCopy?: boolean;
  /** MQTT 5 user properties, where there were any. */
  userProperties: UserPropertyPairs | undefined;
  /** Epoch milliseconds. */
  receivedAt: number;
  /** Says that the message is durable: it may be acknowledged now. */
  release(): void;
}
