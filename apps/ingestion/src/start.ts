import { Problem } from '@engawa/errors';
import { openHotPartitions } from '@engawa/hot-partitions';
import { CursorCodec, startHttpService, startProbes } from '@engawa/http';
import { openTable } from '@engawa/table';
import { buildPipeline } from './build-pipeline.ts';
import { Semaphore } from './concurrency/semaphore.ts';
import { DeadLetters } from './dead-letters/dead-letters.ts';
import { createDecoders } from './decoders/index.ts';
import { BirthStore } from './decoders/sparkplug/birth-store.ts';
import { RebirthRequests } from './decoders/sparkplug/rebirth-requests.ts';
import { ingestionRoutes } from './http/index.ts';
import { MemoryBudget } from './intake/memory-budget.ts';
import { maxParsedBytes, memoryLimits } from './intake/memory-weight.ts';
import { LiveFeed } from './live/live-feed.ts';
import { IngestionMetrics } from './metrics.ts';
import { startPipeline } from './start-pipeline.ts';
import { openSubscription } from './intake/subscription.ts';
import { watchTimeToLive } from './storing/time-to-live-watch.ts';
import { TableTimeout } from './http/table-timeout.ts';
import type { ServiceContext } from '@engawa/service';
import type { Message } from '@engawa/mqtt';
import type { Table } from '@engawa/table';
import type { IngestPipeline } from './build-pipeline.ts';
import type { Config } from './config.ts';
import type { Decoder } from './decoders/decoder.ts';
import type { DecoderChoice } from './decoders/index.ts';
import type { MemoryShare } from './intake/memory-budget.ts';
import type { MemoryLimits } from './intake/memory-weight.ts';

export { settings } from './config.ts';

/** Maximum readings in flight of all HTTP requests; further bodies are not read until there is room. */
const maxHttpReadings = 2000;
/** Fractions of the memory budget that are reserved for each use; the rest is shared. */
const reservedRatio = { mqtt: 0.5, http: 0.25 };
/** Milliseconds that a request waits for the table; the server gives a request 30 s to send its body. */
const httpTimeouts = { stallMs: 10_000, requestMs: 25_000 };

/** The composition root: the only place that builds clients and opens ports. */
export async function start(context: ServiceContext<Config>): Promise<void> {
  const { config, log, signal, onClose } = context;
  await startProbes(context);
  const opened = openTable(context);
  const { table } = opened;
  const metrics = new IngestionMetrics(context.registry);
  const readingSlots = new Semaphore(maxHttpReadings);
  const memory = openMemory(metrics);
  const writer = table.batchWriter();
  const rebirths = rebirthRequests(context, metrics);
  const choices = await chooseWithMappings(context);
  const decoders = createDecoders(choices, {
    deviceIds: config.DEVICE_IDS,
    timeZone: config.TASMOTA_TIME_ZONE,
    tasmotaMainSensors: config.TASMOTA_MAIN_SENSORS,
    births: new BirthStore({ table, writer, log, signal }),
    rebirths,
  });
  const live = new LiveFeed({
    ...{ table, log, metrics: metrics.live, now: context.now },
    maxListeners: config.MAX_LIVE_LISTENERS,
  });
  const built = buildPipeline(context, {
    ...{ opened, writer, metrics, decoders, live },
    memory: memory.mqtt,
    memoryLimits: memory.limits,
  });
  // Before the table is available: until then the API responds with the reason.
  await openApi(context, { table, built, metrics, readingSlots, memory, live, decoders });
  // After the parts that store readings, so that the last readings are shown; before the API, which waits for it.
  onClose('live feed', () => live.close(config.SHUTDOWN_TIMEOUT_MS / 8));
  await table.waitUntilReady(signal);
  watchTimeToLive(context);
  await startPipeline(context, { ...built, decoders, opened, metrics });
  // Closed before the bookkeeping: uploads that end add to it.
  onClose('uploads', async () => {
    const timeout = AbortSignal.timeout(config.SHUTDOWN_TIMEOUT_MS / 4);
    await readingSlots.acquire(Infinity, timeout).catch(() => undefined);
  });
  const { pipeline, messages, storing, stall: inFlight } = built;
  const drain = () => storing.packer.drain();
  if (config.MQTT_SUBSCRIBE === 'off') {
    log.info('MQTT_SUBSCRIBE is off: readings are accepted over HTTP only');
    onClose('pipeline', drain);
    return;
  }
  const receive = (message: Message) => pipeline.receive(message);
  const admission = memory.mqtt;
  const subscription = { decoders, table, admission, receive, messages, inFlight, drain };
  rebirths.connect(openSubscription(context, subscription));
}

/** The operator's own mappings come first. */
async function chooseWithMappings({
  config,
  log,
}: ServiceContext<Config>): Promise<readonly DecoderChoice[]> {
  const { DECODERS: selected, MAPPINGS_DIR: folder } = config;
  if (folder === undefined) return selected;
  // The parser of YAML is not loaded without need.
  const { ownDecoders } = await import('./mappings/own-decoders.ts');
  const own = ownDecoders(folder, selected);
  const names = own.map(({ kind }) => kind.name);
  log.info({ mappings: names }, `mappings of ${folder}: ${names.join(', ') || 'none'}`);
  return [...own, ...selected];
}

function rebirthRequests(
  { config, log }: ServiceContext<Config>,
  metrics: IngestionMetrics,
): RebirthRequests {
  return new RebirthRequests({
    isOn: config.SPARKPLUG_REBIRTH === 'on',
    onSent: () => metrics.rebirths.requested(),
    onGivenUp: () =>
      log.warn(
        'the broker closes the connection when a rebirth is requested: allow publishing NCMD, or set SPARKPLUG_REBIRTH=off',
      ),
  });
}

interface Memory {
  limits: MemoryLimits;
  mqtt: MemoryShare;
  http: MemoryShare;
}

/** One memory budget, shared by messages (mqtt), and uploads and replays (http). */
function openMemory(metrics: IngestionMetrics): Memory {
  const limits = memoryLimits();
  const budget = new MemoryBudget(limits.budget);
  const mqtt = budget.share(limits.budget * reservedRatio.mqtt);
  const http = budget.share(limits.budget * reservedRatio.http);
  metrics.memory.watch({ mqtt, http });
  return { limits, mqtt, http };
}

async function openApi(
  context: ServiceContext<Config>,
  parts: {
    table: Table;
    built: IngestPipeline;
    metrics: IngestionMetrics;
    readingSlots: Semaphore;
    memory: Memory;
    live: LiveFeed;
    decoders: readonly Decoder[];
  },
): Promise<void> {
  const { config, log, signal: closing } = context;
  const { table, built, metrics, readingSlots, memory, live, decoders } = parts;
  const { devices, pipeline, replay, preview, heat } = built;
  const timeout = { timeouts: httpTimeouts, missing: () => table.unavailableReason(), closing };
  const routes = ingestionRoutes({
    ready: () => (devices.isLoaded ? { ingest: pipeline.ingest, replay, preview } : notReady()),
    deadLetters: new DeadLetters({ table }),
    decoders,
    readingSlots,
    memory: memory.http,
    maxReplayBytes: maxParsedBytes(memory.limits),
    timeout: (client) => new TableTimeout(timeout, client),
    cursors: new CursorCodec({ secret: config.CURSOR_SECRET, log }),
    metrics,
    live,
    log,
  });
  await startHttpService(context, {
    title: 'Engawa ingestion',
    description:
      'Accepts readings over HTTP, sends them as they are stored, and lists, replays and discards dead letters.',
    routes: [...routes, ...openHotPartitions(context, heat)],
  });
}

function notReady(): never {
  throw new Problem('table-unavailable', 'The service is starting and waits for the table.');
}
