import type { Logger } from 'pino';
import type { Admission } from './admission.ts';
import type { InFlightListener } from './in-flight.ts';
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
  /** Topic filters within `topics` to which every member of a group also subscribes itself, unshared. */
  unsharedTopics?: readonly string[];
  /** Replicas with the same group share the messages. */
  group?: string | undefined;
  /** A former group, which this session leaves. */
  formerGroup?: string | undefined;
  /**
   * Whether it stays in its group when it closes, so that the broker queues messages for it: for
   * one replica that will certainly return. Messages published while a group has no member are
   * lost.
   */
  staysInGroup?: boolean;
  /** Topic of the test message that is published after each subscription. */
  selfTestTopic?: string | undefined;
  sessionExpirySeconds: number;
  /** Maximum number of unacknowledged messages. */
  window: number;
  /** Memory budget, shared by all connections; while it is full, nothing is read. */
  admission: Admission;
  keepaliveSeconds: number;
  /** Maximum packet size that the broker may send (MQTT 5); by default the broker's own limit. */
  maxPacketBytes?: number | undefined;
  onMessage: (message: Message) => void;
  /** A QoS 0 message was dropped, to keep room for acknowledged messages. */
  onDropped?: (topic: string) => void;
  /** A redelivery or a replayed retained message repeats one that was given out before. */
  onRepeated?: (topic: string) => void;
  /**
   * Whether to ignore a message: it is not counted, and acknowledged as soon as all earlier messages are. Called for
   * each message.
   */
  ignores?: (topic: string, payload: Buffer) => boolean;
  inFlight?: InFlightListener;
  /** A connection is established; `sessionPresent` of the first one tells whether the broker had kept the session. */
  onConnected?: (connection: { sessionPresent: boolean; isFirst: boolean }) => void;
  log: Logger;
  metrics: MqttMetrics;
}
