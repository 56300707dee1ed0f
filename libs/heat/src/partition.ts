/** What DynamoDB counts: read or write capacity units. */
export type Unit = 'read' | 'write';

/** Units a second that one partition of DynamoDB provides (developer guide, "Quotas in Amazon DynamoDB"). */
export const defaultPartitionLimits: Readonly<Record<Unit, number>> = { read: 3000, write: 1000 };

/** A partition key of the table or of one of its indexes, as it is read or as it is written. */
export interface Partition {
  /** `table`, or the index's name. */
  index: string;
  unit: Unit;
  /** The partition key. */
  partition: string;
}

/** Where heat is measured: partition keys compete for attention with those of the same index and unit. */
export type Side = Pick<Partition, 'index' | 'unit'>;

/**
 * What a throttle concerns. `key_range` is a hot partition; `table` what is provisioned; `account`
 * a quota; `on_demand_maximum` a setting of the table. `other` is what DynamoDB gave no reason for:
 * items of a batch or an action of a transaction that came back.
 */
export const throttlingScopes = [
  'key_range',
  'table',
  'account',
  'on_demand_maximum',
  'other',
] as const;
export type ThrottlingScope = (typeof throttlingScopes)[number];

/** Why something was throttled. */
export interface ThrottlingCause {
  scope: ThrottlingScope;
  /** DynamoDB's word for it, or `unknown`. */
  reason: string;
}

/** What other processes use of a partition key, as they said lately. */
export interface OthersHeat {
  unitsPerSecond: number;
  /** `unitsPerSecond` as a share of what a partition takes. */
  utilization: number;
  /** Milliseconds by which these figures may be late. */
  lagMs: number;
}

/** What is known of a partition key over the window. */
export interface PartitionHeat extends Partition {
  unitsPerSecond: number;
  /** Units a second by which `unitsPerSecond` may be too much; it is never too little. */
  uncertainty: number;
  /** `unitsPerSecond`, of this process alone, as a share of what a partition takes. */
  utilization: number;
  /**
   * Attempts of items and questions that came back, by what they ran into; those that there were
   * none of are left out.
   */
  throttlesPerSecond: Partial<Record<ThrottlingScope, number>>;
  /** Units a second that came back: they may be the same ones again and again. */
  throttledUnitsPerSecond: number;
  /** What other processes use of the same key; absent where none is known to use it. */
  others?: OthersHeat;
  /** Milliseconds (as `now`) since when it is hot; absent while it is not. */
  hotSince?: number;
  /** Since when, without a pause, it has been throttled for its key range or used above the threshold. */
  pressedSince?: number;
  /** When that was seen last: some seconds ago, at most. */
  pressedAt?: number;
}

/** A partition key that has become hot, or is hot no more. */
export interface HeatChange {
  change: 'heated' | 'cooled';
  heat: PartitionHeat;
}

/** How often an index was throttled for a reason, whatever the key. */
export interface ThrottlingRate extends Side, ThrottlingCause {
  perSecond: number;
}
