import { hostname } from 'node:os';
import { OperatorError } from '@engawa/errors';
import { MqttMetrics, Subscriber } from '@engawa/mqtt';
import type { Message } from '@engawa/mqtt';
import type { ServiceContext } from '@engawa/service';
import type { Config } from './config.ts';
import type { Decoder } from './decoders/decoder.ts';
import type { Pipeline } from './pipeline.ts';

/**
 * The end of the first replica's client identifier, as a StatefulSet names its pods. That one is the last to be taken away,
 * and only for good where all are: while it is away, even alone, the broker queues for it.
 */
const firstReplica = '-0';

/** Subscribes to what the decoders take, over as many connections as are configured; ends by waiting for what is under way. */
export function openSubscription(
  context: ServiceContext<Config>,
  pipeline: Pipeline,
  decoders: readonly Decoder[],
): void {
  const { config, log, registry, readiness, onClose } = context;
  const connection = {
    url: config.MQTT_URL,
    version: config.MQTT_VERSION,
    username: config.MQTT_USERNAME,
    password: config.MQTT_PASSWORD,
    caFile: config.MQTT_CA_FILE,
    certFile: config.MQTT_CERT_FILE,
    keyFile: config.MQTT_KEY_FILE,
    topics: decoders.flatMap(({ filters }) => filters.map(({ text }) => text)),
    group: config.MQTT_GROUP,
    sessionExpirySeconds: config.MQTT_SESSION_EXPIRY_SECONDS,
    window: Math.ceil(config.MQTT_WINDOW / config.MQTT_CONNECTIONS),
    keepaliveSeconds: config.MQTT_KEEPALIVE_SECONDS,
    maxPacketBytes: config.MQTT_MAX_PACKET_BYTES,
    onConnected: () => pipeline.connected(),
    onMessage: (message: Message) => pipeline.receive(message),
    onDropped: (topic: string) => pipeline.dropped(topic),
    onRepeated: (topic: string) => pipeline.repeated(topic),
    log,
    metrics: new MqttMetrics(registry),
  };
  const subscribers = clientIds(config).map((clientId, index) => {
    // What every replica has to hear it needs to hear once.
    const unsharedTopics = index === 0 ? decoders.flatMap(({ unshared }) => unshared) : [];
    return new Subscriber({
      ...connection,
      clientId,
      unsharedTopics,
      staysInGroup: clientId.endsWith(firstReplica) && index === 0,
    });
  });
  readiness.require('mqtt', () => {
    return subscribers.map((subscriber) => subscriber.missing()).find((why) => why !== undefined);
  });
  onClose('subscription', async () => {
    pipeline.drain();
    // Most of the time there is to close; what is not durable by then comes again.
    const enough = AbortSignal.timeout(config.SHUTDOWN_TIMEOUT_MS / 2);
    await Promise.all(subscribers.map((subscriber) => subscriber.drain(enough)));
    const unacknowledged = subscribers.map((subscriber) => subscriber.unacknowledged());
    log.info({ unacknowledged: unacknowledged.reduce((sum, count) => sum + count) }, 'drained');
    await Promise.all(subscribers.map((subscriber) => subscriber.close()));
  });
}

/** The name of this replica, the same after a restart. */
export function replicaName({ MQTT_CLIENT_ID }: Pick<Config, 'MQTT_CLIENT_ID'>): string {
  return MQTT_CLIENT_ID ?? `engawa-ingestion-${hostname()}`;
}

/** The first is what is configured, so that it finds its session also where there used to be no others. */
function clientIds({ MQTT_CLIENT_ID, MQTT_CONNECTIONS, MQTT_GROUP }: Config): string[] {
  if (MQTT_CONNECTIONS > 1 && MQTT_GROUP === undefined) {
    throw new OperatorError(
      `MQTT_CONNECTIONS is ${MQTT_CONNECTIONS}: each would get every message; set MQTT_GROUP so that they share them`,
    );
  }
  const first = replicaName({ MQTT_CLIENT_ID });
  const numbers = Array.from({ length: MQTT_CONNECTIONS - 1 }, (_, index) => index + 1);
  return [first, ...numbers.map((number) => `${first}-${number}`)];
}
