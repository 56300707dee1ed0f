import { Problem } from '@engawa/errors';
import {
  CursorCodec,
  httpGuards,
  HttpMetrics,
  openHotPartitions,
  serve,
  startProbes,
} from '@engawa/http';
import { openTable } from '@engawa/table';
import { createApp } from './app.ts';
import { buildPipeline } from './build-pipeline.ts';
import { Semaphore } from './concurrency/semaphore.ts';
import { DeadLetters } from './dead-letters/dead-letters.ts';
import { createDecoders } from './decoders/index.ts';
import { BirthStore } from './decoders/sparkplug/birth-store.ts';
import { RebirthRequests } from './decoders/sparkplug/rebirth-requests.ts';
import { MemoryBudget } from './intake/memory-budget.ts';
import { maxParsedBytes, memoryLimits } from './intake/memory-weight.ts';
import { IngestionMetrics } from './metrics.ts';
import { openSubscription } from './intake/subscription.ts';
import { TablePatience } from './http/table-patience.ts';
import type { ServiceContext } from '@engawa/service';
import type { HeatWatch, Table } from '@engawa/table';
import type { IngestPipeline } from './build-pipeline.ts';
import type { Config } from './config.ts';
import type { MemoryShare } from './intake/memory-budget.ts';
import type { MemoryLimits } from './intake/memory-weight.ts';

export { settings } from './config.ts';

/** Readings of all HTTP requests that are not durable yet; while there are more, their bodies wait with the clients. */
const httpWindow = 2000;
/** Parts of the memory budget that are reserved for each use; the rest goes to whichever needs it. */
const reserved = { mqtt: 0.5, http: 0.25 };
/** Milliseconds that a request waits for the table; the server gives each request 30 s to send its body. */
const httpPatience = { stall: 10_000, request: 25_000 };

/** The composition root: the only place that builds clients and opens ports. */
export async function start(context: ServiceContext<Config>): Promise<void> {
  await startProbes(context);
  const opened = openTable(context);
  const { table } = opened;
  const metrics = new IngestionMetrics(context.registry);
  const budget = new Semaphore(httpWindow);
  const memory = openMemory(metrics);
  // The API tells those who ask, from the beginning, what it is that is missing.
  const built: { line?: IngestPipeline } = {};
  const heat = opened.watchHeat({
    shards: (device) => built.line?.deviceShards.shards(device) ?? 1,
    grow: async (device, pressure) => built.line?.deviceShards.grow(device, pressure),
  });
  await openApi(context, { table, heat, metrics, budget, memory, line: () => built.line });
  await table.waitUntilReady(context.signal);

  const writer = table.batchWriter();
  context.onClose('writer', () => writer.close());
  const { log, signal } = context;
  const rebirths = rebirthRequests(context, metrics);
  const decoders = createDecoders(context.config.DECODERS, {
    timeZone: context.config.TASMOTA_TIME_ZONE,
    tasmotaMainSensors: context.config.TASMOTA_MAIN_SENSORS,
    births: new BirthStore({ table, writer, log, signal }),
    rebirths,
  });
  const parts = { opened, heat, writer, metrics, decoders };
  const kept = { memory: memory.mqtt, memoryLimits: memory.limits };
  const line = await buildPipeline(context, { ...parts, ...kept });
  // Closed before the bookkeeping of the line: uploads that end add to it.
  context.onClose('uploads', async () => {
    const enough = AbortSignal.timeout(context.config.SHUTDOWN_TIMEOUT_MS / 4);
    await budget.acquire(Infinity, enough).catch(() => undefined);
  });
  built.line = line;
  if (context.config.MQTT_SUBSCRIBE === 'off') {
    log.info('MQTT_SUBSCRIBE is off: readings are accepted over HTTP only');
    context.onClose('pipeline', () => line.pipeline.drain());
    return;
  }
  const subscription = { decoders, table, admission: memory.mqtt };
  rebirths.connect(openSubscription(context, line.pipeline, subscription));
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

/** One budget for messages, and for uploads and replays. */
function openMemory(metrics: IngestionMetrics): Memory {
  const limits = memoryLimits();
  const budget = new MemoryBudget(limits.budget);
  const mqtt = budget.share(limits.budget * reserved.mqtt);
  const http = budget.share(limits.budget * reserved.http);
  metrics.memory.watch({ mqtt, http });
  return { limits, mqtt, http };
}

async function openApi(
  context: ServiceContext<Config>,
  parts: {
    table: Table;
    heat: HeatWatch;
    metrics: IngestionMetrics;
    budget: Semaphore;
    memory: Memory;
    line: () => IngestPipeline | undefined;
  },
): Promise<void> {
  const { config, log, registry, signal: closing } = context;
  const { table, heat, metrics, budget, memory, line } = parts;
  const patience = { limits: httpPatience, missing: () => table.missing(), closing };
  const app = createApp({
    ready: () => line() ?? notReady(),
    letters: new DeadLetters({ table }),
    budget,
    memory: memory.http,
    maxReplayBytes: maxParsedBytes(memory.limits),
    patience: (client) => new TablePatience(patience, client),
    cursors: new CursorCodec({ secret: config.CURSOR_SECRET, log }),
    metrics,
    hotPartitions: openHotPartitions(context, heat),
    guards: httpGuards(context),
    httpMetrics: new HttpMetrics(registry),
    log,
  });
  await serve(app, context);
}

function notReady(): never {
  throw new Problem('table-unavailable', 'The service is starting, and waits for the table.');
}
