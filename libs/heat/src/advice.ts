import type { PartitionHeat, ThrottlingCause, Side } from './partition.ts';

export interface PartitionFacts {
  heat: PartitionHeat;
  /** How many shards its family has now; undefined where it has no family. */
  shards: number | undefined;
  /** Whether the process makes more shards by itself. */
  grows: boolean;
}

/** What to do about a hot key, most important first; empty where it is not hot. */
export function adviseOnPartition(_facts: PartitionFacts): string[] {
  throw new Error('not built yet');
}

/** What to do about throttling for a reason. */
export function adviseOnThrottling(_throttling: Side & ThrottlingCause): string {
  throw new Error('not built yet');
}
