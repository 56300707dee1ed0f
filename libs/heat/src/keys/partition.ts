/** DynamoDB's capacity units: read or write. */
export type Unit = 'read' | 'write';

/** Maximum units per second of one partition of DynamoDB (developer guide, "Quotas in Amazon DynamoDB"). */
export const defaultPartitionLimits: Readonly<Record<Unit, number>> = { read: 3000, write: 1000 };

/** A partition key of the table or of one of its indexes, for reads or for writes. */
export interface Partition {
  /** `table`, or the index's name. */
  index: string;
  unit: Unit;
  /** The partition key. */
  partition: string;
}

/** A scope of heat: partition keys are ranked among keys of the same index and unit. */
export type IndexUnit = Pick<Partition, 'index' | 'unit'>;

/**
 * The scope of a throttle. `key_range` is a hot partition; `table` the provisioned capacity; `account` a quota;
 * `on_demand_maximum` a setting of the table. `other` has no reason from DynamoDB: an unprocessed item of a batch or an
 * action of a cancelled transaction.
 */
export const throttlingScopes = [
  'key_range',
  'table',
  'account',
  'on_demand_maximum',
  'other',
] as const;
export type ThrottlingScope = (typeof throttlingScopes)[number];

/** The reason of a throttle. */
export interface ThrottlingCause {
  scope: ThrottlingScope;
  /** DynamoDB's reason, or `unknown`. */
  reason: string;
}

/** Other processes' use of a partition key, by their last reports. */
export interface PeerHeat {
  unitsPerSecond: number;
  /** `unitsPerSecond` as a share of the limit of a partition. */
  utilization: number;
  /** Maximum delay of these loads in milliseconds. */
  lagMs: number;
}

/** The measured load of a partition key over the window. */
export interface PartitionHeat extends Partition {
  unitsPerSecond: number;
  /** Maximum overestimate of `unitsPerSecond`, which is never an underestimate. */
  uncertainty: number;
  /** This process's `unitsPerSecond` as a share of the limit of a partition. */
  utilization: number;
  /** Throttled items and Queries per second, by scope; scopes without throttles are absent. */
  throttlesPerSecond: Partial<Record<ThrottlingScope, number>>;
  /** Throttled units per second: retries count again. */
  throttledUnitsPerSecond: number;
  /** Other processes' use of the same key; absent where no other process is known to use it. */
  others?: PeerHeat;
  /** Start of the heat, in milliseconds as `now`; absent for a key that is not hot. */
  hotSince?: number;
  /** Start of the sustained heat: throttles of its key range or use above the threshold, without a pause. */
  sustainedSince?: number;
  /** The last observation of the sustained heat: at most some seconds ago. */
  sustainedUntil?: number;
}

/** A partition key that has become hot or has cooled down. */
export interface HeatChange {
  change: 'heated' | 'cooled';
  heat: PartitionHeat;
}

/** Throttling rate of an index for a reason, over all keys. */
export interface ThrottlingRate extends IndexUnit, ThrottlingCause {
  perSecond: number;
}
