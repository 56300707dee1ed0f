import {
  targetUtilization,
  deviceKey,
  devicePartition,
  grownCount,
  grownEpochs,
  maxShards,
  shardCountAt,
} from '@engawa/keys';
import { epochDocuments, unlessDeleted } from '@engawa/model';
import { absent, allOf, ConditionFailed, equal, present } from '@engawa/table';
import { learnShardsOf } from '../devices/known-device.ts';
import { retryForever } from '../concurrency/retry-forever.ts';
import type { ShardEpoch } from '@engawa/keys';
import type { DeviceMitigation, Pressure, ShardMetrics, Table } from '@engawa/table';
import type { KeyQueues } from './key-queues.ts';
import type { DeviceRegister, KnownDevice } from '../devices/device-register.ts';
import type { RetryOptions } from '../concurrency/retry-forever.ts';

export interface DeviceShardsOptions extends RetryOptions {
  table: Table;
  devices: DeviceRegister;
  queues: Pick<KeyQueues, 'loadOf'>;
  metrics: ShardMetrics;
  /** Write units a second that one key takes. */
  limit: number;
  /** How a partition key is called in the log. */
  nameOf: (index: string, partition: string) => string;
}

/**
 * After so many epochs the next is for all times: a device that sends its past, the newest first, would otherwise want one
 * for each part of it, until they fill its item.
 */
const maxEpochs = 32;

/** What is found wanting of what the table takes beside other replicas is not believed to be more than so many times that. */
const maxGrowthFactor = 4;

/** Spreads the readings of devices that stay hot over more keys. */
export class DeviceShards implements DeviceMitigation {
  readonly #options: DeviceShardsOptions;
  readonly #growing = new Set<string>();
  #most = 1;

  constructor(options: DeviceShardsOptions) {
    this.#options = options;
  }

  shards(id: string): number {
    return shardCountAt(this.#options.devices.find(id)?.shards ?? [], Infinity);
  }

  /**
   * One conditional write to the device's item, tried until the hot key takes it; any replica may win it. Nothing where
   * the last growth has not been used for long enough, or where there are as many keys as there can be.
   */
  async grow(id: string, pressure: Pressure): Promise<void> {
    const { devices } = this.#options;
    const device = devices.find(id);
    if (device === undefined || this.#growing.has(id)) return;
    const settled = Math.max(...device.shards.map(({ usableAt }) => usableAt + pressure.sustained));
    if (performance.now() < settled) return;
    this.#growing.add(id);
    try {
      await this.#grow(device, pressure);
    } finally {
      this.#growing.delete(id);
    }
  }

  async #grow(device: KnownDevice, pressure: Pressure): Promise<void> {
    const { queues } = this.#options;
    const wall = Date.now();
    const oldest = Math.min(queues.loadOf(device.id).oldest, device.oldestWritten, wall);
    const since = device.shards.length < maxEpochs ? oldest : 0;
    const before = shardCountAt(device.shards, since);
    const demand = this.#demand(device.id, before, pressure);
    // What it has is enough, and works off what has piled up.
    if (before >= maxShards || demand <= targetUtilization) return;
    const count = grownCount(before, demand);
    if (!(await this.#write(device, grownEpochs(device.shards, { since, count, now: wall }))))
      return;
    device.oldestWritten = Infinity;
    this.#tell(device, { before, count, since });
  }

  /**
   * What is wanted of each key, as a multiple of what it takes: what arrives, or, where nothing waits, what it is used for.
   * While what has piled up is worked off, keys are used as much as they can be, and that says nothing of the need. What
   * other replicas use is added where they have told; what they leave to this one is known in any case: what it got rid of.
   */
  #demand(id: string, shards: number, { heat, sustained }: Pressure): number {
    const { queues, limit } = this.#options;
    const { arriving, leaving, ageMs } = queues.loadOf(id);
    const others = Math.min(maxGrowthFactor, heat.others?.utilization ?? 0);
    const used = heat.unitsPerSecond / limit + others;
    if (arriving === 0) return used;
    const told = arriving / shards / limit + others;
    // A key that is hot in the sum of replicas takes what comes: a queue lasts for a moment, and shows only a part of it.
    if (ageMs < sustained) return heat.others === undefined ? told : Math.max(told, used);
    return Math.max(told, Math.min(maxGrowthFactor, arriving / leaving));
  }

  async #write(device: KnownDevice, epochs: readonly ShardEpoch[]): Promise<boolean> {
    const { table, devices } = this.#options;
    const before = epochDocuments(epochs.slice(0, -1));
    const isStill = before.length === 0 ? absent('shards') : equal('shards', before);
    try {
      const change = {
        set: { shards: epochDocuments(epochs) },
        onlyIf: allOf(present('version'), isStill),
      };
      const item = await retryForever(
        () => table.update(deviceKey(device.id), change),
        this.#options,
      );
      learnShardsOf(device, item);
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // Another replica was first, or the device has been deleted, and may have been created again.
      const item = unlessDeleted(error.item);
      if (item !== undefined) await devices.reconcile(device, item);
      return false;
    }
  }

  #tell(
    { id }: KnownDevice,
    { before, count, since }: Record<'before' | 'count' | 'since', number>,
  ) {
    const { metrics, log, nameOf } = this.#options;
    this.#most = Math.max(this.#most, count);
    metrics.grown('DEVICE');
    metrics.shards('DEVICE', this.#most);
    const partition = nameOf('table', devicePartition(id));
    const from = new Date(since).toISOString();
    log.warn({ partition, before, shards: count, from }, 'hot device: adding shards');
  }
}
