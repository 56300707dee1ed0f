import type { Partition } from '../keys/partition.ts';

/** Units per second that a process uses of a partition key. */
export interface PartitionLoad extends Partition {
  unitsPerSecond: number;
}

/** The latest reports of other processes' loads. */
export interface PeerLoadReport {
  /** Each key once, with the total of all other processes. */
  loads: readonly PartitionLoad[];
  /** Maximum delay of these loads in milliseconds. */
  lagMs: number;
  /** Expiry of these loads, in milliseconds as `now`. */
  expiresAt: number;
}

const noReport: PeerLoadReport = { loads: [], lagMs: 0, expiresAt: -Infinity };

/** The loads of other processes on the partition keys of one index unit. */
export class PeerLoads {
  #units = new Map<string, number>();
  #report = noReport;

  /** Replaces the known loads. */
  learn(report: PeerLoadReport): void {
    this.#report = report;
    this.#units = new Map(report.loads.map((load) => [load.partition, load.unitsPerSecond]));
  }

  /** Units per second; 0 where no other process is known to use the key. */
  of(partition: string, now: number): number {
    if (now >= this.#report.expiresAt) return 0;
    return this.#units.get(partition) ?? 0;
  }

  get lagMs(): number {
    return this.#report.lagMs;
  }
}
