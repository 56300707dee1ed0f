import { DeadLetterStore } from './dead-letters/dead-letter-store.ts';
import { DeviceRegister } from './devices/device-register.ts';
import { DeviceShards, shardsFor } from './storing/device-shards.ts';
import { repairEvents } from './devices/bookkeeping/event-repair.ts';
import { Intake } from './intake/intake.ts';
import { MessageTracer } from './intake/message-tracer.ts';
import { adoptParkedBlocks } from './storing/parking/adopt-parked-blocks.ts';
import { DeviceQueues } from './storing/device-queues.ts';
import { ParkedBlocks } from './storing/parking/parked-blocks.ts';
import { Parking } from './storing/parking/parking.ts';
import { Pipeline } from './pipeline.ts';
import { PlacementEvents } from './devices/bookkeeping/placement-events.ts';
import { Progress } from './intake/progress.ts';
import { ReadingStore } from './storing/reading-store.ts';
import { RollupInvalidation } from './storing/rollup-invalidation.ts';
import { replicaName } from './intake/sessions.ts';
import { WorkSlicer } from './concurrency/work-slicer.ts';
import type { ServiceContext } from '@engawa/service';
import type { BatchWriter, HeatWatch, OpenTable, Table } from '@engawa/table';
import type { Config } from './config.ts';
import type { Decoder } from './decoders/decoder.ts';
import type { KnownDevice } from './devices/device-register.ts';
import type { MemoryShare } from './intake/memory-budget.ts';
import type { MemoryLimits } from './intake/memory-weight.ts';
import type { IngestionMetrics } from './metrics.ts';

/** What a reading goes through, and what relieves those that too many go through at once. */
export interface IngestPipeline {
  intake: Intake;
  pipeline: Pipeline;
  deviceShards: DeviceShards;
}

export interface LineParts {
  opened: OpenTable;
  heat: HeatWatch;
  writer: BatchWriter;
  metrics: IngestionMetrics;
  decoders: readonly Decoder[];
  memory: MemoryShare;
  memoryLimits: MemoryLimits;
}

/** Reads the list of devices; then everything can come in. */
export async function buildPipeline(
  context: ServiceContext<Config>,
  { opened, heat, writer, metrics, decoders, ...memory }: LineParts,
): Promise<IngestPipeline> {
  const { config, log, signal } = context;
  const { table } = opened;
  const patient = { log, signal };
  const { devices, placements } = await openDevices(context, { opened, metrics });
  const slicer = new WorkSlicer();
  const readings = new ReadingStore({
    writer,
    devices,
    rollups: new RollupInvalidation(writer),
    placements,
    metrics,
    slicer,
    retention: (kind) => config.RETENTION_DAYS(kind) * 86_400 || undefined,
  });
  const { isHot, isThrottled } = warmthOf(heat, writer);
  const stores = { opened, writer, metrics, devices, readings, slicer };
  const maxHeldBytes = memory.memoryLimits.parked;
  const { queues, parking } = buildParking(context, { ...stores, isThrottled, maxHeldBytes });
  const intake = new Intake({
    devices,
    store: (device, parcels) => queues.add(device, parking.track(device, parcels)),
    isHot,
    slicer,
    timeLimits: { past: config.READING_MAX_AGE_DAYS, future: config.READING_MAX_AHEAD_HOURS },
    linger: config.LINGER_MS,
  });
  const deadLetters = new DeadLetterStore({ writer, table, metrics, ...patient });
  const window = config.MQTT_WINDOW;
  const progress = watchProgress(context, { deadLetters, table, writer });
  const tracer = new MessageTracer({ brokerUrl: config.MQTT_URL, group: config.MQTT_GROUP });
  const parts = { decoders, intake, deadLetters, progress, metrics, tracer };
  const pipeline = new Pipeline({ ...parts, ...memory, ...patient, window });
  const deviceShards = new DeviceShards({
    table,
    devices,
    queues,
    metrics: opened.shardMetrics,
    limit: config.PARTITION_WRITE_LIMIT,
    nameOf: opened.nameOf,
    ...patient,
  });
  return { intake, pipeline, deviceShards };
}

interface ParkingParts {
  opened: OpenTable;
  writer: BatchWriter;
  metrics: IngestionMetrics;
  devices: DeviceRegister;
  readings: ReadingStore;
  slicer: WorkSlicer;
  isThrottled: (device: KnownDevice) => boolean;
  maxHeldBytes: number;
}

/** Keeps throttled devices out of the way of all others. */
function buildParking(
  { config, log, signal, onClose }: ServiceContext<Config>,
  { opened, writer, metrics, devices, readings, slicer, isThrottled, maxHeldBytes }: ParkingParts,
): { queues: DeviceQueues; parking: Parking } {
  const replica = replicaName(config);
  const { table } = opened;
  const { parking: parkingMetrics } = metrics;
  const queues = new DeviceQueues({
    isThrottled,
    shards: (device) => shardsFor(device, Infinity),
    store: (device, parcels) => readings.store(device, parcels),
  });
  const blocks = new ParkedBlocks({ table, writer, metrics: parkingMetrics, slicer, replica });
  const parking = new Parking({
    blocks,
    isThrottled: (device) => {
      // Where the whole table is throttled, so are the partitions of parked blocks.
      return !writer.throttlesAll && (queues.holds(device.id) || isThrottled(device));
    },
    maxHeldBytes,
    log,
  });
  onClose('parking', () => parking.close());
  const adopting = { blocks, parking, queues, devices, metrics: parkingMetrics, replica };
  const adoption = adoptParkedBlocks({ ...adopting, log, signal });
  onClose('parked blocks', () => adoption);
  return { queues, parking };
}

/** Reports when the oldest message cannot become durable; readings over HTTP go on without it. */
function watchProgress(
  { readiness }: ServiceContext<Config>,
  parts: { deadLetters: DeadLetterStore; table: Table; writer: BatchWriter },
): Progress {
  const { deadLetters, table, writer } = parts;
  const progress = new Progress({ tableSaid: () => tableSaid(table, writer) });
  readiness.require('progress', () => deadLetters.missing() ?? progress.missing(), 'never');
  return progress;
}

function tableSaid(table: Table, writer: BatchWriter): string {
  const failure = table.lastFailure();
  if (failure !== undefined) return `the table last said ${failure}`;
  return writer.hasThrottledKeys ? 'DynamoDB throttles some keys' : 'the table reports no error';
}

/**
 * Reads the list of devices, then repairs in the background what a process before this one had no time for; ends by writing
 * the bookkeeping that is pending.
 */
async function openDevices(
  { config, log, now: steady, signal, onClose }: ServiceContext<Config>,
  parts: Pick<LineParts, 'opened' | 'metrics'>,
): Promise<{ devices: DeviceRegister; placements: PlacementEvents }> {
  const { table, shards } = parts.opened;
  const metrics = parts.metrics.bookkeeping;
  const admission = config.DEVICE_ADMISSION;
  const devices = new DeviceRegister({ table, admission, shards, metrics, log, signal, steady });
  const placements = new PlacementEvents({ table, devices, metrics, log });
  onClose('bookkeeping', async () => {
    const enough = AbortSignal.timeout(config.SHUTDOWN_TIMEOUT_MS / 8);
    await Promise.all([placements.close(enough), devices.close(enough)]);
  });
  await devices.load();
  const show = placements.show.bind(placements);
  repairEvents(devices.all(), { table, show, log, signal }).catch((error: unknown) => {
    if (!signal.aborted) log.warn({ err: error }, 'repairing the last events of devices failed');
  });
  return { devices, placements };
}

function warmthOf(heat: HeatWatch, writer: BatchWriter) {
  const isHot = (device: KnownDevice): boolean =>
    device.partitions.some((partition) => heat.isHot('table', 'write', partition));
  // The writer knows of the first throttle at once; what is hot stays so for a while.
  const isThrottled = (device: KnownDevice): boolean =>
    isHot(device) ||
    (writer.hasThrottledKeys &&
      device.partitions.some((partition) => writer.isThrottled(partition)));
  return { isHot, isThrottled };
}
