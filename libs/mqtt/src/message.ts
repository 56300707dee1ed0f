/** A message that the broker brought. */
export interface Message {
  topic: string;
  payload: Buffer;
  qos: 0 | 1;
  retained: boolean;
  /** Whether the broker may have brought it before. */
  duplicate: boolean;
  /** The client identifier of the session that brought it. */
  session: string;
  /** The packet identifier; undefined at QoS 0. */
  messageId: number | undefined;
  /** MQTT 5 user properties, where there were any. */
  userProperties: Record<string, string | string[]> | undefined;
  /** Epoch milliseconds. */
  receivedAt: number;
  /** Says that the message is durable: it may be acknowledged now. */
  release(): void;
}
