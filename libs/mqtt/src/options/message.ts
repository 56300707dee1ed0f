import type { UserPropertyPairs } from './user-properties.ts';

/** A received message; redeliveries of a known message are not given out. */
export interface Message {
  topic: string;
  payload: Buffer;
  qos: 0 | 1;
  /** Whether it is a retained message, replayed for a new subscription. */
  retained: boolean;
  /** Client identifier of the session that received it. */
  session: string;
  /** Packet identifier of a QoS 1 message. */
  messageId: number | undefined;
  /** Whether it may be a redelivery (DUP). */
  duplicate: boolean;
  /**
   * Whether it was received through an unshared subscription only: a member of the group, this one
   * or another, receives it as well. Known with MQTT 5 only.
   */
  isCopy?: boolean;
  /** MQTT 5 user properties, if any. */
  userProperties: UserPropertyPairs | undefined;
  /** Epoch milliseconds. */
  receivedAt: number;
  /** Call it when the message is durable: it is acknowledged then. */
  release(): void;
}
