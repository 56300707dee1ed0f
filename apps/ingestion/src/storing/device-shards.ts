import {
  targetUtilization,
  devicePartition,
  grownCount,
  grownEpochs,
  maxShards,
  shardCountAt,
} from '@engawa/keys';
import { replaceShards } from '../devices/device-epochs.ts';
import { isThrottled } from '../devices/is-transient.ts';
import { learnShardsOf } from '../devices/known-device.ts';
import type { ShardEpoch } from '@engawa/keys';
import type { DeviceMitigation, SustainedHeat, ShardMetrics, Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { DeviceQueues } from './device-queues.ts';
import type { DeviceRegister, KnownDevice } from '../devices/device-register.ts';

export interface DeviceShardsOptions {
  table: Table;
  devices: DeviceRegister;
  queues: Pick<DeviceQueues, 'loadOf'>;
  metrics: ShardMetrics;
  /** Write units per second that one partition key can take. */
  maxUnitsPerSecond: number;
  /** Renders a partition key for the log. */
  nameOf: (index: string, partition: string) => string;
  /** Called after this process has added shards to a device. */
  onReshard: (event: { of: { devicePartition: string }; from: number; to: number }) => void;
  log: Logger;
}

/**
 * After this many epochs the next one covers all times. A device that uploads its past, newest readings first, would
 * otherwise add an epoch for each part of it until its item is full.
 */
const maxEpochs = 32;

/** Upper bound of the demand inferred from throttled requests, as a multiple of the limit of a key. */
const maxGrowthFactor = 4;

/** Spreads the readings of devices with sustained heat over more partition keys. */
export class DeviceShards implements DeviceMitigation {
  readonly #options: DeviceShardsOptions;
  readonly #growing = new Set<string>();
  #most = 1;

  constructor(options: DeviceShardsOptions) {
    this.#options = options;
  }

  shards(id: string): number {
    return this.#options.devices.find(id)?.partitions.length ?? 1;
  }

  /**
   * One conditional update of the device's item; any replica may win. Does nothing if the shards of the last growth
   * have not been in use for long enough, if the device has the maximum number of shards, or if the update is
   * throttled, as other writes to this key are: the next check of the heat, a second later, tries again with the load
   * of that time.
   */
  async grow(id: string, sustained: SustainedHeat): Promise<void> {
    const { devices } = this.#options;
    const device = devices.find(id);
    if (device === undefined || this.#growing.has(id)) return;
    const settled = Math.max(
      ...device.shards.map(({ usableAt }) => usableAt + sustained.sustainedMs),
    );
    if (performance.now() < settled) return;
    this.#growing.add(id);
    try {
      await this.#grow(device, sustained);
    } catch (error) {
      if (!isThrottled(error)) throw error;
      this.#options.log.debug({ err: error, device: id }, 'adding shards is throttled; retrying');
    } finally {
      this.#growing.delete(id);
    }
  }

  async #grow(device: KnownDevice, sustained: SustainedHeat): Promise<void> {
    const { queues } = this.#options;
    const wall = Date.now();
    const oldest = Math.min(queues.loadOf(device.id).oldest, device.oldestWritten, wall);
    const since = device.shards.length < maxEpochs ? oldest : 0;
    const before = shardCountAt(device.shards, since);
    const demand = this.#demand(device.id, before, sustained);
    // The current shards suffice and drain the backlog.
    if (before >= maxShards || demand <= targetUtilization) return;
    const count = grownCount(before, demand);
    const after = grownEpochs(device.shards, { since, count, now: wall });
    if (await this.#write(device, after)) this.#tell(device, { before, count, since });
  }

  /**
   * Demand for each key, as a multiple of its limit: the arrival rate, or, if the queue is empty, the consumed units.
   * While a backlog drains, the keys are used up to their limit, which is no measure of demand. The load of other
   * replicas is added if they report it. Without a report, the ratio of arriving to stored units shows how much of the
   * key they leave to this replica.
   */
  #demand(id: string, shards: number, { heat, sustainedMs }: SustainedHeat): number {
    const { queues, maxUnitsPerSecond } = this.#options;
    const { arriving, leaving, ageMs } = queues.loadOf(id);
    const others = Math.min(maxGrowthFactor, heat.others?.utilization ?? 0);
    const used = heat.unitsPerSecond / maxUnitsPerSecond + others;
    if (arriving === 0) return used;
    const demandByArrivals = arriving / shards / maxUnitsPerSecond + others;
    // A key that is hot only by the total of all replicas accepts most writes: its queue is short-lived and has only a
    // part of the demand.
    if (ageMs < sustainedMs)
      return heat.others === undefined ? demandByArrivals : Math.max(demandByArrivals, used);
    return Math.max(demandByArrivals, Math.min(maxGrowthFactor, arriving / leaving));
  }

  async #write(device: KnownDevice, epochs: readonly ShardEpoch[]): Promise<boolean> {
    const { table, devices } = this.#options;
    const change = { id: device.id, before: device.shards, after: epochs };
    const { isReplaced, item } = await replaceShards(table, change);
    if (item === undefined) return false;
    if (isReplaced) learnShardsOf(device, item);
    // Another replica was first, or the device was deleted and registered again.
    else await devices.reconcile(device, item);
    return isReplaced;
  }

  #tell(
    { id }: KnownDevice,
    { before, count, since }: Record<'before' | 'count' | 'since', number>,
  ) {
    const { metrics, log, nameOf, onReshard } = this.#options;
    this.#most = Math.max(this.#most, count);
    metrics.grown('DEVICE');
    metrics.shards('DEVICE', this.#most);
    const partition = nameOf('table', devicePartition(id));
    const from = new Date(since).toISOString();
    log.warn({ partition, before, shards: count, from }, 'hot device: adding shards');
    onReshard({ of: { devicePartition: devicePartition(id) }, from: before, to: count });
  }
}
