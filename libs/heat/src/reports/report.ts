import type { AdviceValues } from '../advice/advice-values.ts';
import type { KeyNaming } from '../keys/key-naming.ts';
import type { IndexUnit, ThrottlingCause, ThrottlingScope } from '../keys/partition.ts';

/** An `Advice`, perhaps of a process of a newer version, with a code that this version lacks. */
export interface ReportedAdvice {
  code: string;
  values: AdviceValues;
}

/** One partition key of a report. */
export interface ReportedPartition extends IndexUnit {
  /** The key in the configured naming. */
  partition: string;
  /** A `PartitionKind`; absent from a process of an older version. */
  kind?: string;
  /** The family (`LIST#DEVICE`, `DEVICE`), for a key with shards; the current number of shards, if known. */
  family?: string;
  shards?: number;
  unitsPerSecond: number;
  uncertainty: number;
  utilization: number;
  throttlesPerSecond: Partial<Record<ThrottlingScope, number>>;
  /** Other processes' reported use; absent without reports, and in a merged report. */
  othersUnitsPerSecond?: number;
  /** ISO time of the start of the heat; absent for a key that is not hot. */
  hotSince?: string;
  /** Measures, most important first; may be empty. */
  advice: string[];
  /** Those of `advice`, in its order; null for a text of a process of an older version, which reports none. */
  adviceCodes?: (ReportedAdvice | null)[];
}

export interface ReportedThrottling extends IndexUnit, ThrottlingCause {
  perSecond: number;
  advice: string;
  /** Absent from a process of an older version. */
  adviceCode?: ReportedAdvice;
}

/** The report of one process, or the merged report of several. */
export interface HeatReport {
  /** Length of the measured period in seconds. */
  windowSeconds: number;
  /** Units per second of one partition. */
  limits: { read: number; write: number };
  keys: KeyNaming;
  /** The hottest first. */
  partitions: ReportedPartition[];
  /** Most frequent first. */
  throttling: ReportedThrottling[];
}
