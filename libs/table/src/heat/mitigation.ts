import { sumUtilization } from '@engawa/heat';
import { targetUtilization, shardedPartition } from '@engawa/keys';
import type { PartitionHeat, ThrottlingRate, ThrottlingScope } from '@engawa/heat';
import type { ShardMap } from '../shards/shard-map.ts';

/** Who can spread a hot device's readings over more keys: the service that writes them. */
export interface DeviceMitigation {
  /** How many keys it has, as far as is known. */
  shards(device: string): number;
  /** Gives it more, where that is due. */
  grow(device: string, pressure: Pressure): Promise<void>;
}

/** What a key has been under. */
export interface Pressure {
  heat: PartitionHeat;
  /** Milliseconds for which it has to be hot with the keys that it has, before it gets more. */
  sustained: number;
}

/** Milliseconds for which a key has to be hot until it gets company. */
export const sustained = 10_000;

/** Times that a family's shards may be doubled at once, on the strength of what was turned away: some of it came twice. */
const steepest = 4;

/** Spreads what stays hot by being written over more keys. */
export class Mitigation {
  readonly #shards: ShardMap;
  readonly #devices: DeviceMitigation | undefined;

  constructor({ shards, devices }: { shards: ShardMap; devices?: DeviceMitigation | undefined }) {
    this.#shards = shards;
    this.#devices = devices;
  }

  /**
   * @param throttling all that is throttled now, whatever the key
   */
  async mitigate(heat: PartitionHeat, throttling: readonly ThrottlingRate[]): Promise<void> {
    const { index, unit, partition, pressedSince = 0, pressedAt = 0 } = heat;
    const sustained = sustainedFor(heat);
    if (unit !== 'write' || pressedAt - pressedSince < sustained) return;
    if (!isOfTheKey(heat, throttling)) return;
    const sharded = shardedPartition(index, partition);
    if (sharded?.kind === 'device') {
      await this.#devices?.grow(sharded.device, { heat, sustained });
    } else if (sharded !== undefined) {
      const demand = Math.min(steepest, demandOf(heat));
      await this.#shards.grow(sharded.family, { demand, sustained });
    }
  }

  /** Undefined where the partition has no family, or nothing is known of it here. */
  shardsOf(index: string, partition: string): number | undefined {
    const sharded = shardedPartition(index, partition);
    if (sharded === undefined) return undefined;
    if (sharded.kind === 'device') return this.#devices?.shards(sharded.device);
    return this.#shards.known(sharded.family);
  }
}

/**
 * Milliseconds for which a key has to be hot, with the keys that there are, until it gets more. What others use is told late:
 * a process that has ended, or a growth that they have begun to use, shows only then.
 */
function sustainedFor(heat: PartitionHeat): number {
  const { others, utilization } = heat;
  const isHotAlone = utilization >= targetUtilization || isThrottled(heat);
  return sustained + (isHotAlone || others === undefined ? 0 : others.lagMs);
}

function isThrottled({ throttlesPerSecond }: PartitionHeat): boolean {
  const { key_range = 0, other = 0 } = throttlesPerSecond;
  return key_range > 0 || other > 0;
}

/**
 * Whether more keys would help: the key is at its limit, or DynamoDB says so. Parts of batches come back without a reason; then
 * it is the key unless the table, a quota or a setting is known to turn writes away as well.
 */
function isOfTheKey(heat: PartitionHeat, throttling: readonly ThrottlingRate[]): boolean {
  const { index, unit, throttlesPerSecond } = heat;
  const { key_range = 0, other = 0 } = throttlesPerSecond;
  if (sumUtilization(heat) >= targetUtilization || key_range > 0) return true;
  const isElsewhere = throttling.some(
    (one) => one.index === index && one.unit === unit && !keyScopes.has(one.scope),
  );
  return other > 0 && !isElsewhere;
}

const keyScopes: ReadonlySet<ThrottlingScope> = new Set(['key_range', 'other']);

/** What is consumed, here and by others, and what is turned away, as a multiple of the limit that this share of the limit tells. */
function demandOf(heat: PartitionHeat): number {
  const { unitsPerSecond, throttledUnitsPerSecond, utilization, others } = heat;
  if (unitsPerSecond === 0) return steepest;
  const own = (utilization * (unitsPerSecond + throttledUnitsPerSecond)) / unitsPerSecond;
  return own + (others?.utilization ?? 0);
}
