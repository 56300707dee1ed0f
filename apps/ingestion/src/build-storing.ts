import { shardsFor } from './devices/known-device.ts';
import { replicaName } from './intake/sessions.ts';
import { WatchedBlocks } from './live/watched-blocks.ts';
import { BlockWriter } from './storing/block-writer.ts';
import { DeviceQueues } from './storing/device-queues.ts';
import { Packer } from './storing/packer.ts';
import { ParkedBlocks } from './storing/parking/parked-blocks.ts';
import { Parking } from './storing/parking/parking.ts';
import { Projections } from './storing/projections.ts';
import { RollupInvalidation } from './storing/rollup-invalidation.ts';
import type { DeviceKind } from '@engawa/model';
import type { BatchWriter, HeatWatch, Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { WorkSlicer } from './concurrency/work-slicer.ts';
import type { Config } from './config.ts';
import type { PlacementEvents } from './devices/bookkeeping/placement-events.ts';
import type { DeviceRegister, KnownDevice } from './devices/device-register.ts';
import type { Retention } from './intake/retention.ts';
import type { LiveFeed } from './live/live-feed.ts';
import type { IngestionMetrics } from './metrics.ts';
import type { Parcel } from './storing/parcel.ts';

/** Maximum number of parcels that linger together. A parcel is often a single reading; a larger block gains nothing. */
const maxLingeringParcels = 60;

/** The parts that perform the steps pack, wait, write and project. */
export interface Storing {
  packer: Packer;
  queues: DeviceQueues;
  parking: Parking;
  parkedBlocks: ParkedBlocks;
  blocks: WatchedBlocks;
  projections: Projections;
}

export interface StoringParts {
  table: Table;
  writer: BatchWriter;
  heat: HeatWatch;
  metrics: IngestionMetrics;
  live: LiveFeed;
  devices: DeviceRegister;
  placements: PlacementEvents;
  slicer: WorkSlicer;
  retention: Retention;
  log: Logger;
  /** Of this process, as `randomOrigin` returns it. */
  origin: string;
  /** Estimated bytes of heap that parked readings may take. */
  maxHeldBytes: number;
  /** The step after `pack`. */
  enqueue: (device: KnownDevice, parcels: readonly Parcel[]) => void;
  /** The step after `wait`. */
  store: (device: KnownDevice, parcels: readonly Parcel[], onEnd?: () => void) => void;
}

export function buildStoring(
  config: Config,
  { table, writer, heat, metrics, devices, placements, slicer, log, ...parts }: StoringParts,
): Storing {
  const { origin, maxHeldBytes, enqueue, store, live, retention } = parts;
  const { isHot, isThrottled } = heatOfDevices(heat, writer);
  const packer = new Packer({
    lingerMs: config.LINGER_MS,
    isHot,
    maxParcels: maxLingeringParcels,
    flush: enqueue,
  });
  const queues = new DeviceQueues({
    isThrottled,
    shards: (device) => shardsFor(device, Infinity),
    store,
  });
  const replica = replicaName(config);
  const parkedBlocks = new ParkedBlocks({
    ...{ table, writer, metrics: metrics.parking, slicer, replica },
  });
  const parking = new Parking({
    blocks: parkedBlocks,
    isThrottled: (device) => {
      // If the whole table is throttled, so are the partitions of parked blocks.
      return !writer.throttlesAll && (queues.holds(device.id) || isThrottled(device));
    },
    maxHeldBytes,
    log,
  });
  const retentionSeconds = (kind: DeviceKind) => retention.seconds(kind);
  const blocks = new BlockWriter({
    writer,
    devices,
    metrics: metrics.blocks,
    origin,
    slicer,
    retentionSeconds,
  });
  const rollups = new RollupInvalidation(writer);
  const projections = new Projections({ devices, rollups, placements, retentionSeconds });
  const watched = new WatchedBlocks(blocks, live);
  return { packer, queues, parking, parkedBlocks, blocks: watched, projections };
}

function heatOfDevices(heat: HeatWatch, writer: BatchWriter) {
  const isHot = (device: KnownDevice): boolean =>
    device.partitions.some((partition) => heat.isHot('table', 'write', partition));
  // The writer knows of the first throttled request at once; a hot partition stays hot for a while.
  const isThrottled = (device: KnownDevice): boolean =>
    isHot(device) ||
    (writer.hasThrottledKeys &&
      device.partitions.some((partition) => writer.isThrottled(partition)));
  return { isHot, isThrottled };
}
