import { hostname } from 'node:os';
import { OperatorError, Problem } from '@engawa/errors';
import { devicePartition } from '@engawa/keys';
import { CursorCodec, httpGuards, HttpMetrics, listen, startProbes } from '@engawa/http';
import { MqttMetrics, Subscriber } from '@engawa/mqtt';
import { connectTable, tableLocation, TableMetrics } from '@engawa/table';
import { createApp } from './app.ts';
import { Budget } from './budget.ts';
import { DeadLetterStore } from './dead-letter-store.ts';
import { DeadLetters } from './dead-letters.ts';
import { createDecoders } from './decoders/index.ts';
import { DeviceRegister } from './device-register.ts';
import { Hold } from './hold.ts';
import { Intake } from './intake.ts';
import { IngestionMetrics } from './metrics.ts';
import { Pipeline } from './pipeline.ts';
import { PlacementEvents } from './placement-events.ts';
import { ReadingStore } from './reading-store.ts';
import { RollupInvalidation } from './rollup-invalidation.ts';
import { resumeThrottled } from './resume-throttled.ts';
import { TablePatience } from './table-patience.ts';
import type { Message } from '@engawa/mqtt';
import type { ServiceContext } from '@engawa/service';
import type { BatchWriter, Table } from '@engawa/table';
import type { Config } from './config.ts';
import type { Decoder } from './decoders/decoder.ts';

export { settings } from './config.ts';

/** The lists of devices have one shard each until one of them is hot. */
const listShards = { list: 1, seen: 1 };
const deadLetterShards = 1;
/** Readings of all HTTP requests that are not durable yet; while there are more, their bodies wait with the clients. */
const httpWindow = 2000;
/** Milliseconds that a request waits for the table; the server gives each request 30 s to send its body. */
const httpPatience = { stall: 10_000, request: 25_000 };

/** What a reading goes through. */
interface Line {
  intake: Intake;
  pipeline: Pipeline;
}

/** The composition root: the only place that builds clients and opens ports. */
export async function start(context: ServiceContext<Config>): Promise<void> {
  await openProbes(context);
  const table = openTable(context);
  const metrics = new IngestionMetrics(context.registry);
  const budget = new Budget(httpWindow);
  // The API tells those who ask, from the beginning, what it is that is missing.
  const built: { line?: Line } = {};
  await openApi(context, { table, metrics, budget, line: () => built.line });
  await table.waitUntilReady(context.signal);

  const writer = table.batchWriter();
  context.onClose('writer', () => writer.close());
  context.onClose('uploads', async () => {
    const enough = AbortSignal.timeout(context.config.SHUTDOWN_TIMEOUT_MS / 4);
    await budget.acquire(Infinity, enough).catch(() => undefined);
  });
  const decoders = createDecoders(context.config.DECODERS, {
    timeZone: context.config.TASMOTA_TIME_ZONE,
  });
  const line = await buildLine(context, { table, writer, metrics, decoders });
  built.line = line;
  openSubscription(context, line.pipeline, decoders);
  resume(context, table, line.pipeline);
}

/** Goes on where a process before this one was throttled; nobody waits for it. */
function resume({ log, signal }: ServiceContext<Config>, table: Table, pipeline: Pipeline): void {
  const letters = new DeadLetters({ table, shards: deadLetterShards });
  resumeThrottled({ letters, pipeline, signal }).then(
    (stored) => stored > 0 && log.info({ stored }, 'stored what had been throttled'),
    (error: unknown) => {
      if (signal.aborted) return;
      log.warn({ err: error }, 'dead letters of throttled devices wait to be replayed');
    },
  );
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

async function openApi(
  context: ServiceContext<Config>,
  parts: {
    table: Table;
    metrics: IngestionMetrics;
    budget: Budget;
    line: () => Line | undefined;
  },
): Promise<void> {
  const { config, log, registry, signal: closing, onClose } = context;
  const { table, metrics, budget, line } = parts;
  const patience = { limits: httpPatience, missing: () => table.missing(), closing };
  const app = createApp({
    ready: () => line() ?? notReady(),
    letters: new DeadLetters({ table, shards: deadLetterShards }),
    budget,
    patience: (client) => new TablePatience(patience, client),
    cursors: new CursorCodec({ secret: config.CURSOR_SECRET, log }),
    metrics,
    guards: httpGuards(context),
    httpMetrics: new HttpMetrics(registry),
    log,
  });
  const api = await listen({ app, host: config.HOST, port: config.PORT, variable: 'PORT', log });
  onClose('api', () => api.close());
}

function notReady(): never {
  throw new Problem('table-unavailable', 'The service is starting, and waits for the table.');
}

async function buildLine(
  { config, log, signal, onClose }: ServiceContext<Config>,
  parts: {
    table: Table;
    writer: BatchWriter;
    metrics: IngestionMetrics;
    decoders: readonly Decoder[];
  },
): Promise<Line> {
  const { table, writer, metrics, decoders } = parts;
  const admission = config.DEVICE_ADMISSION;
  const devices = new DeviceRegister({ table, admission, shards: listShards, log, signal });
  await devices.load();
  const rollups = new RollupInvalidation(writer);
  const placements = new PlacementEvents({ table, devices, log, signal });
  const retention = (kind: Parameters<Config['RETENTION_DAYS']>[0]) =>
    config.RETENTION_DAYS(kind) * 86_400 || undefined;
  const intake = new Intake({
    devices,
    readings: new ReadingStore({ writer, devices, rollups, placements, metrics, retention }),
    timeLimits: { past: config.READING_MAX_AGE_DAYS, future: config.READING_MAX_AHEAD_HOURS },
    linger: config.LINGER_MS,
  });
  const deadLetters = new DeadLetterStore({
    writer,
    table,
    metrics,
    shards: deadLetterShards,
    log,
    signal,
  });
  const hold = new Hold({
    deadLetters,
    isThrottled: (device) => writer.isHot(devicePartition(device)),
    limit: config.THROTTLED_HOLD_MS,
    log,
  });
  onClose('hold', () => hold.close());
  const pipeline = new Pipeline({
    decoders,
    intake,
    deadLetters,
    hold,
    metrics,
    log,
    window: config.MQTT_WINDOW,
  });
  return { intake, pipeline };
}

function openSubscription(
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
    onMessage: (message: Message) => pipeline.receive(message),
    onDropped: (topic: string) => pipeline.dropped(topic),
    log,
    metrics: new MqttMetrics(registry),
  };
  const subscribers = clientIds(config).map((clientId, index) => {
    // What every replica has to hear it needs to hear once.
    const unsharedTopics = index === 0 ? decoders.flatMap(({ unshared }) => unshared) : [];
    return new Subscriber({ ...connection, clientId, unsharedTopics });
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

/** The first is what is configured, so that it finds its session also where there used to be no others. */
function clientIds({ MQTT_CLIENT_ID, MQTT_CONNECTIONS, MQTT_GROUP }: Config): string[] {
  if (MQTT_CONNECTIONS > 1 && MQTT_GROUP === undefined) {
    throw new OperatorError(
      `MQTT_CONNECTIONS is ${MQTT_CONNECTIONS}: each would get every message; set MQTT_GROUP so that they share them`,
    );
  }
  const first = MQTT_CLIENT_ID ?? `engawa-ingestion-${hostname()}`;
  const numbers = Array.from({ length: MQTT_CONNECTIONS - 1 }, (_, index) => index + 1);
  return [first, ...numbers.map((number) => `${first}-${number}`)];
}
