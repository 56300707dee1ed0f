import type { Logger } from 'pino';
import type { Admission } from './admission.ts';
import type { Message } from './message.ts';
import type { MqttMetrics } from './mqtt-metrics.ts';
import type { SocketOptions } from '../connection/open-socket.ts';

export interface SubscriberOptions extends SocketOptions {
  version: '5' | '3.1.1';
  clientId: string;
  username?: string | undefined;
  password?: string | undefined;
  /** Topic filters. */
  topics: readonly string[];
  /** Topic filters, among `topics`, that every member of a group has to hear for itself as well: they are not shared with it. */
  unsharedTopics?: readonly string[];
  /** Replicas with the same group share the messages. */
  group?: string | undefined;
  /** A group that this session may be a member of and is to leave. */
  formerGroup?: string | undefined;
  /**
   * Whether it stays a member of its group when it ends, so that the broker queues for it: the one who comes back for certain.
   * Where all leave, what is published until one is back goes to nobody.
   */
  staysInGroup?: boolean;
  /** Where a message to itself is sent after each subscribing, to see whether the subscription delivers. */
  selfTestTopic?: string | undefined;
  sessionExpirySeconds: number;
  /** Messages that may be held unacknowledged. */
  window: number;
  /** Memory, shared by all connections: while none is left nothing is read. */
  admission: Admission;
  keepaliveSeconds: number;
  /** The largest packet that the broker may send (MQTT 5); without it the broker's own limit holds. */
  maxPacketBytes?: number | undefined;
  onMessage: (message: Message) => void;
  /** A message of QoS 0 that is not taken, so that those that are acknowledged have room. */
  onDropped?: (topic: string) => void;
  /** A message that repeats one which was given out: the broker delivered it again, or replayed it as a retained message. */
  onRepeated?: (topic: string) => void;
  /** Whether a message is not for this subscriber: it is acknowledged at once and not counted. Asked for each message. */
  ignores?: (topic: string, payload: Buffer) => boolean;
  /** A connection is there. The first one of the process says whether the broker had kept the session. */
  onConnected?: (connection: { sessionPresent: boolean; isFirst: boolean }) => void;
  log: Logger;
  metrics: MqttMetrics;
}
