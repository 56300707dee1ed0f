import type {
  HeatChange,
  Partition,
  PartitionHeat,
  Side,
  ThrottlingCause,
  ThrottlingRate,
  Unit,
} from './partition.ts';

export interface HeatOptions {
  /** Units a second that one partition takes (DynamoDB's own: 3,000 and 1,000). */
  limits: Record<Unit, number>;
}

/**
 * Which partition keys are read and written most, and which are throttled, over a sliding window, in memory that does not
 * grow. Knows no time but what it is told: `now` is in milliseconds on any clock that never goes back.
 */
export class Heat {
  readonly limits: Record<Unit, number>;
  /** Seconds that rates are of. */
  readonly windowSeconds = 10;

  constructor({ limits }: HeatOptions) {
    this.limits = limits;
  }

  /** Units that were consumed. */
  used(_partition: Partition, _units: number, _now: number): void {
    // not built yet
  }

  /** An attempt that came back: an item or a question of so many units. */
  throttled(_partition: Partition, _cause: ThrottlingCause, _units: number, _now: number): void {
    // not built yet
  }

  /** The one with the highest share of its limit, where it is not known which of them was throttled. */
  hottest(_candidates: readonly Partition[], _now: number): Partition | undefined {
    return undefined;
  }

  /** Looks at what has become hot or cool since the last time; call it about once a second. */
  tick(_now: number): HeatChange[] {
    return [];
  }

  /** Those that are hot, the hottest first. */
  hot(_now: number): PartitionHeat[] {
    return [];
  }

  /** The keys with the most units or throttles, the hottest first, at most so many. */
  top(_side: Side, _count: number, _now: number): PartitionHeat[] {
    return [];
  }

  /** Sides of which there is something to tell. */
  sides(): Side[] {
    return [];
  }

  /** By index, unit and reason. */
  throttling(_now: number): ThrottlingRate[] {
    return [];
  }
}
