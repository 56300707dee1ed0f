import type { KeyNaming } from './key-naming.ts';
import type { Side, ThrottlingCause, ThrottlingScope } from './partition.ts';

/** One partition key, as people are told of it. */
export interface ReportedPartition extends Side {
  /** The key, by the naming that is set. */
  partition: string;
  /** A `PartitionKind`; a process of an older version does not tell. */
  kind?: string;
  /**
   * What it is a shard of (`LIST#DEVICE`, `DEVICE`), where it is one; how many shards there are
   * now, where that is known.
   */
  family?: string;
  shards?: number;
  unitsPerSecond: number;
  uncertainty: number;
  utilization: number;
  throttlesPerSecond: Partial<Record<ThrottlingScope, number>>;
  /** What other processes have told that they use; absent where none has, and in a merged report. */
  othersUnitsPerSecond?: number;
  /** ISO time since when it is hot; absent while it is not. */
  hotSince?: string;
  /** What to do, most important first; empty where nothing has to be done. */
  advice: string[];
}

export interface ReportedThrottling extends Side, ThrottlingCause {
  perSecond: number;
  advice: string;
}

/** What one process knows, or several together. */
export interface HeatReport {
  /** Seconds that the figures are of. */
  windowSeconds: number;
  /** Units a second that one partition takes. */
  limits: { read: number; write: number };
  keys: KeyNaming;
  /** The hottest first. */
  partitions: ReportedPartition[];
  /** Most frequent first. */
  throttling: ReportedThrottling[];
}
