import { MqttMetrics, selfTestTopic, Subscriber } from '@engawa/mqtt';
import { SessionRecords } from './session-records.ts';
import { sessionsOf } from './sessions.ts';
import type { Admission, InFlightListener, Message } from '@engawa/mqtt';
import type { Table } from '@engawa/table';
import type { Readiness, ServiceContext } from '@engawa/service';
import type { MqttConfig } from './mqtt-config.ts';
import type { Decoder } from '../decoders/decoder.ts';
import type { IncomingMessages } from './incoming-messages.ts';
import type { Publish } from '../decoders/sparkplug/rebirth-requests.ts';

/**
 * Suffix of the client identifier of the first replica, as a StatefulSet names its pods. The first replica is removed
 * last, and for good only when all are removed: while it is away, the broker queues for it.
 */
const firstReplica = '-0';

/**
 * Milliseconds for which a replica that has never reached the broker is not ready. So a rollout with wrong settings
 * stops (Kubernetes reports a Deployment as failed after this time), and an outage of the broker does not end readings
 * over HTTP.
 */
const maxBrokerWaitMs = 600_000;

export interface SubscriptionParts {
  decoders: readonly Decoder[];
  table: Table;
  /** Pauses all connections while received messages take too much memory. */
  admission: Admission;
  receive: (message: Message) => void;
  messages: Pick<IncomingMessages, 'connected' | 'dropped' | 'repeated'>;
  inFlight: InFlightListener;
  /** Called before the connections are closed: readings stop lingering. */
  drain: () => void;
}

type SubscriptionConfig = MqttConfig & {
  /** Milliseconds. */
  SHUTDOWN_TIMEOUT_MS: number;
};

/**
 * Subscribes to the topics of the decoders over the configured number of connections. On closing, waits for messages in
 * flight.
 * @returns a function that publishes over the first connection
 */
export function openSubscription(
  context: ServiceContext<SubscriptionConfig>,
  { decoders, table, admission, receive, messages, inFlight, drain }: SubscriptionParts,
): Publish {
  const { config, log, registry, readiness, signal, onClose } = context;
  const metrics = new MqttMetrics(registry);
  const records = new SessionRecords({ table, metrics, log, signal });
  const sessions = sessionsOf(config, decoders);
  if (sessions.length === 0) {
    log.warn('this replica is idle: there are more replicas than MQTT_REPLICAS or MQTT_PARTITIONS');
  }
  const connection = connectionOf(config, decoders, sessions.length);
  const subscribers = sessions.map(({ clientId, owns }, index) => {
    return new Subscriber({
      ...connection,
      admission,
      inFlight,
      onMessage: (message: Message) => receive(message),
      onDropped: (topic: string) => messages.dropped(topic),
      onRepeated: (topic: string) => messages.repeated(topic),
      log,
      metrics,
      clientId,
      selfTestTopic: testTopicOf(config, connection.topics, clientId),
      onConnected: ({ sessionPresent, isFirst }) => {
        messages.connected();
        if (isFirst) records.connected(clientId, sessionPresent).catch(() => undefined); // closing
      },
      ...(owns !== undefined && { ignores: (topic: string) => !owns(topic) }),
      staysInGroup: stays(clientId, index),
    });
  });
  requireBroker(readiness, subscribers);
  onClose('subscription', async () => {
    drain();
    // Most of the time for closing; messages that are not durable by then are redelivered.
    const enough = AbortSignal.timeout(config.SHUTDOWN_TIMEOUT_MS / 2);
    await Promise.all(subscribers.map((subscriber) => subscriber.drain(enough)));
    const unacknowledged = subscribers.reduce((sum, each) => sum + each.unacknowledged(), 0);
    log.info({ unacknowledged }, 'stopped receiving messages');
    await Promise.all(subscribers.map((subscriber) => subscriber.close()));
    const left = sessions.filter((_, index) => subscribers[index]?.hasLeftGroup === true);
    await Promise.allSettled(left.map(({ clientId }) => records.left(clientId)));
  });
  return (topic, payload) => subscribers[0]?.publish(topic, payload) ?? false;
}

function requireBroker(readiness: Readiness, subscribers: readonly Subscriber[]): void {
  const first = (reasonOf: (subscriber: Subscriber) => string | undefined) => () =>
    subscribers.map(reasonOf).find((reason) => reason !== undefined);
  const untilMet = { untilMet: true, forMs: maxBrokerWaitMs } as const;
  readiness.require(
    'mqtt',
    first((each) => each.unavailableReason()),
    untilMet,
  );
  readiness.require(
    'brokerLimits',
    first((each) => each.limitation()),
    'never',
  );
  readiness.require(
    'clientId',
    first((each) => each.conflict()),
    'never',
  );
}

function stays(clientId: string, index: number): boolean {
  return clientId.endsWith(firstReplica) && index === 0;
}

/** The options that all sessions of this process share. */
function connectionOf(config: MqttConfig, decoders: readonly Decoder[], sessions: number) {
  return {
    url: config.MQTT_URL,
    version: config.MQTT_VERSION,
    username: config.MQTT_USERNAME,
    password: config.MQTT_PASSWORD,
    caFile: config.MQTT_CA_FILE,
    certFile: config.MQTT_CERT_FILE,
    keyFile: config.MQTT_KEY_FILE,
    // Two decoders may have the same default filter.
    topics: [...new Set(decoders.flatMap(({ filters }) => filters.map(({ text }) => text)))],
    group: config.MQTT_GROUP,
    // Over each connection, so that they arrive before messages that were published later. Without a group every
    // connection gets them.
    unsharedTopics:
      config.MQTT_GROUP === undefined ? [] : decoders.flatMap(({ unshared }) => unshared),
    sessionExpirySeconds: config.MQTT_SESSION_EXPIRY_SECONDS,
    formerGroup: config.MQTT_FORMER_GROUP,
    window: Math.ceil(config.MQTT_WINDOW / Math.max(1, sessions)),
    keepaliveSeconds: config.MQTT_KEEPALIVE_SECONDS,
    maxPacketBytes: config.MQTT_MAX_PACKET_BYTES,
  };
}

function testTopicOf(
  { MQTT_SELF_TEST, MQTT_SELF_TEST_TOPIC }: MqttConfig,
  [first = '']: readonly string[],
  clientId: string,
): string | undefined {
  if (MQTT_SELF_TEST === 'off') return undefined;
  return selfTestTopic(MQTT_SELF_TEST_TOPIC ?? first, clientId);
}
