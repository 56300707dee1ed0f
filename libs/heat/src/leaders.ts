import type { PartitionHeat } from './partition.ts';

export interface LeadersOptions {
  /** How many there are at most. */
  count: number;
}

/**
 * The ten (or so) keys of one side that become label values: who is in stays in until others are clearly hotter, so that
 * there are few changes.
 */
export class Leaders {
  constructor(_options: LeadersOptions) {
    // not built yet
  }

  /** @param candidates the hottest now, the hottest first, more than there are places */
  choose(_candidates: readonly PartitionHeat[]): PartitionHeat[] {
    throw new Error('not built yet');
  }
}
