import { HttpMetrics, listen, startProbes } from '@engawa/http';
import { MqttMetrics, Subscriber } from '@engawa/mqtt';
import { connectTable, tableLocation, TableMetrics } from '@engawa/table';
import { createApp } from './app.ts';
import { DeadLetterStore } from './dead-letter-store.ts';
import { decoders } from './decoders/index.ts';
import { DeviceRegister } from './device-register.ts';
import { IngestionMetrics } from './metrics.ts';
import { Pipeline } from './pipeline.ts';
import { PlacementEvents } from './placement-events.ts';
import { ReadingStore } from './reading-store.ts';
import { RollupInvalidation } from './rollup-invalidation.ts';
import type { ServiceContext } from '@engawa/service';
import type { BatchWriter, Table } from '@engawa/table';
import type { Config } from './config.ts';

export { settings } from './config.ts';

/** The lists of devices have one shard each until one of them is hot. */
const listShards = { list: 1, seen: 1 };
const deadLetterShards = 1;

/** The composition root: the only place that builds clients and opens ports. */
export async function start(context: ServiceContext<Config>): Promise<void> {
  await openProbes(context);
  const table = openTable(context);
  await openApi(context);
  await table.waitUntilReady(context.signal);

  const writer = table.batchWriter();
  context.onClose('writer', () => writer.close());
  const pipeline = await buildPipeline(context, table, writer);
  openSubscription(context, pipeline);
}

async function openProbes({ config, log, registry, readiness, onClose }: ServiceContext<Config>) {
  const { HOST: host, METRICS_PORT: port } = config;
  const probes = await startProbes({ registry, readiness, host, port, log });
  onClose('probes', () => probes.close());
}

function openTable({ config, log, registry, readiness, onClose }: ServiceContext<Config>): Table {
  const table = connectTable({
    ...tableLocation(config),
    metrics: new TableMetrics(registry),
    log,
  });
  onClose('table', () => table.close());
  readiness.require('table', () => table.missing());
  return table;
}

async function openApi({ config, log, registry, onClose }: ServiceContext<Config>) {
  const app = createApp({ metrics: new HttpMetrics(registry), log });
  const api = await listen({ app, host: config.HOST, port: config.PORT, variable: 'PORT', log });
  onClose('api', () => api.close());
}

async function buildPipeline(
  { config, log, registry, signal }: ServiceContext<Config>,
  table: Table,
  writer: BatchWriter,
): Promise<Pipeline> {
  const metrics = new IngestionMetrics(registry);
  const admission = config.DEVICE_ADMISSION;
  const devices = new DeviceRegister({ table, admission, shards: listShards, log, signal });
  await devices.load();
  const rollups = new RollupInvalidation(writer);
  const placements = new PlacementEvents({ table, devices, log, signal });
  const retention = (kind: Parameters<Config['RETENTION_DAYS']>[0]) =>
    config.RETENTION_DAYS(kind) * 86_400 || undefined;
  return new Pipeline({
    decoders,
    devices,
    readings: new ReadingStore({ writer, devices, rollups, placements, metrics, retention }),
    deadLetters: new DeadLetterStore({ writer, metrics, shards: deadLetterShards }),
    metrics,
    log,
    timeLimits: { past: config.READING_MAX_AGE_DAYS, future: config.READING_MAX_AHEAD_HOURS },
    linger: config.LINGER_MS,
    window: config.MQTT_WINDOW,
  });
}

function openSubscription(context: ServiceContext<Config>, pipeline: Pipeline): void {
  const { config, log, registry, readiness, onClose } = context;
  const subscriber = new Subscriber({
    url: config.MQTT_URL,
    version: config.MQTT_VERSION,
    clientId: config.MQTT_CLIENT_ID,
    username: config.MQTT_USERNAME,
    password: config.MQTT_PASSWORD,
    caFile: config.MQTT_CA_FILE,
    certFile: config.MQTT_CERT_FILE,
    keyFile: config.MQTT_KEY_FILE,
    topics: decoders.map(({ topic }) => topic),
    group: config.MQTT_GROUP,
    sessionExpirySeconds: config.MQTT_SESSION_EXPIRY_SECONDS,
    window: config.MQTT_WINDOW,
    keepaliveSeconds: config.MQTT_KEEPALIVE_SECONDS,
    maxPacketBytes: config.MQTT_MAX_PACKET_BYTES,
    onMessage: (message) => pipeline.receive(message),
    log,
    metrics: new MqttMetrics(registry),
  });
  readiness.require('mqtt', () => subscriber.missing());
  onClose('subscription', async () => {
    pipeline.drain();
    // Most of the time there is to close; what is not durable by then comes again.
    await subscriber.drain(AbortSignal.timeout(config.SHUTDOWN_TIMEOUT_MS / 2));
    log.info({ unacknowledged: subscriber.unacknowledged() }, 'drained');
    await subscriber.close();
  });
}
