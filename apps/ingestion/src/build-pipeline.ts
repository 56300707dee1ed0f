import { deviceKey } from '@engawa/keys';
import { deviceKinds, kindOf, randomOrigin, unlessDeleted } from '@engawa/model';
import { WorkSlicer } from './concurrency/work-slicer.ts';
import { DeadLetterStore } from './dead-letters/dead-letter-store.ts';
import { PlacementEvents } from './devices/bookkeeping/placement-events.ts';
import { DeviceRegister } from './devices/device-register.ts';
import { checkFewReadings, checkReadings } from './intake/check-readings.ts';
import { Deliveries } from './intake/deliveries.ts';
import { FlushOnStall } from './intake/flush-on-stall.ts';
import { IncomingMessages } from './intake/incoming-messages.ts';
import { MessageScale } from './intake/message-scale.ts';
import { MessageTracer } from './intake/message-tracer.ts';
import { OldestMessageWatch } from './intake/oldest-message-watch.ts';
import { UnrecognizedTopics } from './intake/unrecognized-topics.ts';
import { ReplayedReadings } from './intake/replayed-readings.ts';
import { previewDeadLetter } from './intake/preview-dead-letter.ts';
import { Retention } from './intake/retention.ts';
import { ingestDeadLetter } from './intake/ingest-dead-letter.ts';
import { buildStoring } from './build-storing.ts';
import { Pipeline } from './pipeline.ts';

import { DeviceShards } from './storing/device-shards.ts';
import type { DeadLetter, DeviceKind, Reading } from '@engawa/model';
import type { ServiceContext } from '@engawa/service';
import type { BatchWriter, HeatWatch, OpenTable, Table } from '@engawa/table';
import type { Storing } from './build-storing.ts';
import type { Config } from './config.ts';
import type { Decoder } from './decoders/decoder.ts';
import type { KnownDevice } from './devices/known-device.ts';
import type {
  CheckableReadings,
  CheckedReadings,
  CheckingCaller,
} from './intake/check-readings.ts';
import type { DeviceReadings } from './intake/device-readings.ts';
import type { MemoryShare } from './intake/memory-budget.ts';
import type { MemoryLimits } from './intake/memory-weight.ts';
import type { LiveFeed } from './live/live-feed.ts';
import type { IngestionMetrics } from './metrics.ts';
import type { DeadLetterPreview } from './intake/preview-dead-letter.ts';
import type { IngestResult } from './refusals/refusal.ts';
import type { Packer } from './storing/packer.ts';

/** The pipeline and its parts. Nothing runs before `startPipeline`. */
export interface IngestPipeline extends MessageParts {
  pipeline: Pipeline;
  /** Stores the readings of a dead letter again. */
  replay: (deadLetter: DeadLetter) => Promise<IngestResult>;
  /** What `replay` would do. */
  preview: (deadLetter: DeadLetter) => Promise<DeadLetterPreview>;
  heat: HeatWatch;
  writer: BatchWriter;
  devices: DeviceRegister;
  placements: PlacementEvents;
  storing: Storing;
}

export interface PipelineParts {
  opened: OpenTable;
  writer: BatchWriter;
  metrics: IngestionMetrics;
  decoders: readonly Decoder[];
  live: LiveFeed;
  memory: MemoryShare;
  memoryLimits: MemoryLimits;
}

/** Drafts of a message that are checked in one turn of the event loop. */
const maxDraftsAtOnce = 100;

/** Composes the parts that perform the steps of the pipeline. Sends no request. */
export function buildPipeline(
  context: ServiceContext<Config>,
  parts: PipelineParts,
): IngestPipeline {
  const { config, log, signal, now: steady } = context;
  const { opened, writer, metrics, decoders, live, memoryLimits } = parts;
  const { table, shards, shardMetrics, nameOf } = opened;
  const bookkeeping = { table, metrics: metrics.bookkeeping, log };
  const admission = config.DEVICE_ADMISSION;
  const devices = new DeviceRegister({ ...bookkeeping, admission, shards, signal, steady });
  const placements = new PlacementEvents({ ...bookkeeping, devices });
  const heat = opened.watchHeat();
  const slicer = new WorkSlicer();
  const origin = randomOrigin();
  const retention = new Retention(config.RETENTION_DAYS);
  const storing = buildStoring(config, {
    ...{ table, writer, heat, metrics, live, devices, placements, slicer, retention, log, origin },
    maxHeldBytes: memoryLimits.parked,
    enqueue: (device, parcels) => pipeline.enqueue(device, parcels),
    store: (device, parcels, onEnd) => pipeline.store(device, parcels, onEnd),
  });
  const { packer, queues } = storing;
  const maxUnitsPerSecond = config.PARTITION_WRITE_LIMIT;
  const deviceShards = new DeviceShards({
    ...{ table, devices, queues, metrics: shardMetrics, maxUnitsPerSecond, nameOf, log },
    onReshard: (event) => heat.history.resharded(event),
  });
  heat.mitigateDevices(deviceShards);
  const scale = new MessageScale(memoryLimits);
  const messageParts = buildMessages(context, { ...parts, packer, scale });
  const deliveries = new Deliveries(origin);
  const replayed = new ReplayedReadings({ table, devices, log, signal });
  const { check, checkDelivery } = buildChecks(config, { slicer, deliveries, replayed });
  const checkAtDevice = (checked: CheckedReadings, device: KnownDevice) => {
    const kept = retention.withoutExpired(checked, device.kind);
    if (kept.ahead !== undefined) metrics.clocks.ahead(device, kept.ahead);
    return kept;
  };
  const steps = { ...messageParts, ...storing, devices, checkAtDevice, check: checkDelivery };
  const pipeline = new Pipeline(steps);
  const replay = (deadLetter: DeadLetter) =>
    ingestDeadLetter(deadLetter, { decoders, scale, ingest: pipeline.ingest });
  const kindOfDevice = async (device: string, first: Reading) =>
    devices.find(device)?.kind ?? (await storedKind(table, device)) ?? newKind(admission, first);
  const preview = (deadLetter: DeadLetter) =>
    previewDeadLetter(deadLetter, { decoders, scale, check, retention, kindOfDevice });
  return { ...messageParts, pipeline, replay, preview, heat, writer, devices, placements, storing };
}

interface CheckParts {
  slicer: WorkSlicer;
  deliveries: Deliveries;
  replayed: ReplayedReadings;
}

/** The step `check`, without and with the deliveries of the readings; the first has no effect. */
function buildChecks(config: Config, { slicer, deliveries, replayed }: CheckParts) {
  // The settings are in days and hours; the configuration has them in milliseconds.
  const timeLimits = {
    maxAgeMs: config.READING_MAX_AGE_DAYS,
    maxAheadMs: config.READING_MAX_AHEAD_HOURS,
  };
  const check = (received: CheckableReadings, caller: CheckingCaller) =>
    received.drafts.length <= maxDraftsAtOnce
      ? checkFewReadings(received, timeLimits, caller)
      : slicer.run(checkReadings(received, timeLimits, caller));
  const checkDelivery = (received: DeviceReadings, caller: CheckingCaller) => {
    const checking = replayed.withoutStored(received, check(received, caller));
    if (!(checking instanceof Promise)) return deliveries.identify(checking, received);
    return checking.then((checked) => deliveries.identify(checked, received));
  };
  return { check, checkDelivery };
}

/** The parts that receive and release messages. */
interface MessageParts {
  messages: IncomingMessages;
  deadLetters: DeadLetterStore;
  oldestMessage: OldestMessageWatch;
  stall: FlushOnStall;
}

function buildMessages(
  { config, log, signal }: ServiceContext<Config>,
  parts: PipelineParts & { packer: Packer; scale: MessageScale },
): MessageParts {
  const { opened, writer, metrics, decoders, memory, packer, scale } = parts;
  const { table } = opened;
  const common = { log, signal };
  const deadLetters = new DeadLetterStore({
    ...{ writer, table, metrics: metrics.deadLetters, ...common },
  });
  const oldestMessage = new OldestMessageWatch({ tableStatus: () => tableStatus(table, writer) });
  const stall = new FlushOnStall({ window: config.MQTT_WINDOW, packer });
  const messages = new IncomingMessages({
    ...{ decoders, memory, scale, stall, oldestMessage, deadLetters, ...common },
    metrics: metrics.messages,
    tracer: new MessageTracer({ brokerUrl: config.MQTT_URL, group: config.MQTT_GROUP }),
    unrecognized: new UnrecognizedTopics(log),
  });
  return { messages, deadLetters, oldestMessage, stall };
}

/** Undefined if new devices are not admitted. */
function newKind(admission: Config['DEVICE_ADMISSION'], first: Reading): DeviceKind | undefined {
  return admission === 'closed' ? undefined : kindOf(first.fields);
}

/** Undefined if the device is not registered. */
async function storedKind(table: Table, device: string): Promise<DeviceKind | undefined> {
  const item = unlessDeleted(await table.get(deviceKey(device)));
  return item && (deviceKinds.find((kind) => kind === item['kind']) ?? 'other');
}

function tableStatus(table: Table, writer: BatchWriter): string {
  const failure = table.lastFailure();
  if (failure !== undefined) return `the table's last error: ${failure}`;
  return writer.hasThrottledKeys ? 'DynamoDB throttles some keys' : 'the table reports no error';
}
