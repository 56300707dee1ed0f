import type { Unit } from '../keys/partition.ts';

/** The parameters of an advice: those that its code needs. */
export interface AdviceValues {
  /** `table`, or the index's name. */
  index?: string | undefined;
  unit?: Unit | undefined;
  /** Current number of shards; absent if unknown. */
  shards?: number | undefined;
  maxShards?: number | undefined;
}
