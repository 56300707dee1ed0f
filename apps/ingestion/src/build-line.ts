import { DeadLetterStore } from './dead-letter-store.ts';
import { DeviceRegister } from './device-register.ts';
import { DeviceShards, partitionsOf } from './device-shards.ts';
import { Hold } from './hold.ts';
import { Intake } from './intake.ts';
import { Pipeline } from './pipeline.ts';
import { PlacementEvents } from './placement-events.ts';
import { ReadingStore } from './reading-store.ts';
import { RollupInvalidation } from './rollup-invalidation.ts';
import type { DeviceKind } from '@engawa/model';
import type { ServiceContext } from '@engawa/service';
import type { BatchWriter, HeatWatch, OpenTable } from '@engawa/table';
import type { Config } from './config.ts';
import type { Decoder } from './decoders/decoder.ts';
import type { KnownDevice } from './device-register.ts';
import type { IngestionMetrics } from './metrics.ts';

/** What a reading goes through, and what relieves those that too many go through at once. */
export interface Line {
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
}

/** Reads the list of devices; then everything can come in. */
export async function buildLine(
  context: ServiceContext<Config>,
  { opened, heat, writer, metrics, decoders }: LineParts,
): Promise<Line> {
  const { config, log, signal, onClose } = context;
  const { table, shards } = opened;
  const patient = { log, signal };
  const admission = config.DEVICE_ADMISSION;
  const devices = new DeviceRegister({ table, admission, shards, ...patient });
  await devices.load();
  const rollups = new RollupInvalidation(writer);
  const placements = new PlacementEvents({ table, devices, ...patient });
  const retention = (kind: DeviceKind) => config.RETENTION_DAYS(kind) * 86_400 || undefined;
  const { isHot, isThrottled } = warmthOf(heat, writer);
  const intake = new Intake({
    devices,
    readings: new ReadingStore({ writer, devices, rollups, placements, metrics, retention }),
    isThrottled,
    isHot,
    timeLimits: { past: config.READING_MAX_AGE_DAYS, future: config.READING_MAX_AHEAD_HOURS },
    linger: config.LINGER_MS,
  });
  const deadLetters = new DeadLetterStore({ writer, table, metrics, ...patient });
  const hold = new Hold({
    deadLetters,
    isThrottled: (id) => {
      const device = devices.find(id);
      // Where all keys are throttled, so would the letters be.
      if (device === undefined || writer.throttlesAll) return false;
      return intake.backlog.holds(id) || isThrottled(device);
    },
    limit: config.THROTTLED_HOLD_MS,
    window: config.MQTT_WINDOW,
    log,
  });
  onClose('hold', () => hold.close());
  const window = config.MQTT_WINDOW;
  const pipeline = new Pipeline({ decoders, intake, deadLetters, hold, metrics, log, window });
  const deviceShards = new DeviceShards({
    table,
    devices,
    backlog: intake.backlog,
    metrics: opened.shardMetrics,
    limit: config.PARTITION_WRITE_LIMIT,
    nameOf: opened.nameOf,
    ...patient,
  });
  return { intake, pipeline, deviceShards };
}

function warmthOf(heat: HeatWatch, writer: BatchWriter) {
  const isHot = (device: KnownDevice): boolean =>
    partitionsOf(device).some((partition) => heat.isHot('table', 'write', partition));
  // The writer knows of the first throttle at once; what is hot stays so for a while.
  const isThrottled = (device: KnownDevice): boolean =>
    isHot(device) ||
    (writer.hasHot && partitionsOf(device).some((partition) => writer.isHot(partition)));
  return { isHot, isThrottled };
}
