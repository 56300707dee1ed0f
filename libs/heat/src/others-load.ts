import type { Partition } from './partition.ts';

/** Units a second that a process uses of a partition key. */
export interface PartitionLoad extends Partition {
  unitsPerSecond: number;
}

/** The latest reports of other processes' loads. */
export interface OthersLoads {
  /** Each key once: the sum of all other processes. */
  loads: readonly PartitionLoad[];
  /** Milliseconds by which these figures may be late. */
  lagMs: number;
  /** Milliseconds (as `now`) from which the figures are too old to be used. */
  expiresAt: number;
}

const noLoads: OthersLoads = { loads: [], lagMs: 0, expiresAt: -Infinity };

/** The loads of other processes on the partition keys of one side. */
export class OthersLoad {
  #units = new Map<string, number>();
  #told = noLoads;

  /** Replaces the known loads. */
  learn(told: OthersLoads): void {
    this.#told = told;
    this.#units = new Map(told.loads.map((load) => [load.partition, load.unitsPerSecond]));
  }

  /** Units a second; 0 where no other process is known to use the key. */
  of(partition: string, now: number): number {
    if (now >= this.#told.expiresAt) return 0;
    return this.#units.get(partition) ?? 0;
  }

  get lagMs(): number {
    return this.#told.lagMs;
  }
}
