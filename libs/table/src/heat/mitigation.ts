import { sumUtilization } from '@engawa/heat';
import { targetUtilization, shardedPartition } from '@engawa/keys';
import type { PartitionHeat, ThrottlingRate, ThrottlingScope } from '@engawa/heat';
import type { ShardMap } from '../shards/shard-map.ts';

/** Spreads a hot device's readings over more keys; implemented by the service that writes them. */
export interface DeviceMitigation {
  /** The device's number of shards, as far as known. */
  shards(device: string): number;
  /** Adds shards if the load requires them. */
  grow(device: string, sustained: SustainedHeat): Promise<void>;
}

/** The load of a hot key. */
export interface SustainedHeat {
  heat: PartitionHeat;
  /** How long the key must be hot with its current shards before it gets more. */
  sustainedMs: number;
}

/** How long a key must be hot before it gets more shards. */
export const sustainedMs = 10_000;

/** Bound of the demand computed from throttled units, which count retries twice. */
const maxDemand = 4;

/** Adds shards to the families of keys with sustained write heat. */
export class Mitigation {
  readonly #shards: ShardMap;
  #devices: DeviceMitigation | undefined;

  constructor({ shards }: { shards: ShardMap }) {
    this.#shards = shards;
  }

  /** Spreads hot devices as well, in the service that writes them. */
  mitigateDevices(devices: DeviceMitigation): void {
    this.#devices = devices;
  }

  /** @param throttling all current throttling, of any key */
  async mitigate(heat: PartitionHeat, throttling: readonly ThrottlingRate[]): Promise<void> {
    const { index, unit, partition, sustainedSince = 0, sustainedUntil = 0 } = heat;
    const sustainedMs = requiredMs(heat);
    if (unit !== 'write' || sustainedUntil - sustainedSince < sustainedMs) return;
    if (!isKeyThrottled(heat, throttling)) return;
    const sharded = shardedPartition(index, partition);
    if (sharded?.kind === 'device') {
      await this.#devices?.grow(sharded.device, { heat, sustainedMs });
    } else if (sharded !== undefined) {
      const demand = Math.min(maxDemand, demandOf(heat));
      await this.#shards.grow(sharded.family, { demand, sustainedMs });
    }
  }

  /** Undefined where the partition belongs to no family, or its shards are unknown to this process. */
  shardsOf(index: string, partition: string): number | undefined {
    const sharded = shardedPartition(index, partition);
    if (sharded === undefined) return undefined;
    if (sharded.kind === 'device') return this.#devices?.shards(sharded.device);
    return this.#shards.known(sharded.family);
  }
}

/**
 * Minimum time that a key must be hot with its current shards before it gets more. A key that is hot only together with
 * other processes must be hot longer, by the delay of their reports: an ended process, or the use of new shards,
 * becomes visible late.
 */
function requiredMs(heat: PartitionHeat): number {
  const { others, utilization } = heat;
  const isHotAlone = utilization >= targetUtilization || isThrottled(heat);
  return sustainedMs + (isHotAlone || others === undefined ? 0 : others.lagMs);
}

function isThrottled({ throttlesPerSecond }: PartitionHeat): boolean {
  const { key_range = 0, other = 0 } = throttlesPerSecond;
  return key_range > 0 || other > 0;
}

/**
 * Whether more shards help: the key is at its limit, or DynamoDB reports it as throttled. Unprocessed items of batches
 * have no reason; then the key is the likely cause unless the table, a quota or a setting also throttles writes of the
 * index.
 */
function isKeyThrottled(heat: PartitionHeat, throttling: readonly ThrottlingRate[]): boolean {
  const { index, unit, throttlesPerSecond } = heat;
  const { key_range = 0, other = 0 } = throttlesPerSecond;
  if (sumUtilization(heat) >= targetUtilization || key_range > 0) return true;
  const isThrottledOtherwise = throttling.some(
    (one) => one.index === index && one.unit === unit && !keyScopes.has(one.scope),
  );
  return other > 0 && !isThrottledOtherwise;
}

const keyScopes: ReadonlySet<ThrottlingScope> = new Set(['key_range', 'other']);

/** Consumed and throttled units of all processes, as a multiple of the limit of one partition. */
function demandOf(heat: PartitionHeat): number {
  const { unitsPerSecond, throttledUnitsPerSecond, utilization, others } = heat;
  if (unitsPerSecond === 0) return maxDemand;
  const own = (utilization * (unitsPerSecond + throttledUnitsPerSecond)) / unitsPerSecond;
  return own + (others?.utilization ?? 0);
}
