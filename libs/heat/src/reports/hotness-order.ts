import type {
  Partition,
  PartitionHeat,
  ThrottlingRate,
  ThrottlingScope,
} from '../keys/partition.ts';

/** The properties of a key that order it. */
export interface RankedPartition extends Partition {
  utilization: number;
  throttlesPerSecond: PartitionHeat['throttlesPerSecond'];
  hotSince?: number | string;
}

/**
 * Whether a throttle concerns the key itself. One without a reason does: it is attributed to the
 * hottest possible key. Limits of the table, the account or a setting do not concern a key.
 */
export function concernsKey(scope: ThrottlingScope): boolean {
  return scope === 'key_range' || scope === 'other';
}

/** Throttles per second that concern the key itself. */
export function keyThrottles({
  throttlesPerSecond,
}: Pick<RankedPartition, 'throttlesPerSecond'>): number {
  const { key_range = 0, other = 0 } = throttlesPerSecond;
  return key_range + other;
}

/** The use of a key from which it explains the throttles of the key itself, as a share of its limit. */
export const explainedFrom = 0.5;

/**
 * Whether DynamoDB throttles the key although its use is far below the limit of a partition: then another key, a ramp
 * or a lower limit is the cause.
 */
export function isThrottledBelowLimit(
  heat: Pick<PartitionHeat, 'utilization' | 'throttlesPerSecond' | 'others'> &
    Pick<RankedPartition, 'hotSince'>,
): boolean {
  const isExplained = heat.hotSince !== undefined || sumUtilization(heat) >= explainedFrom;
  return keyThrottles(heat) > 0 && !isExplained;
}

/** Use of a key by all processes, as far as known, as a share of the limit of a partition. */
export function sumUtilization({
  utilization,
  others,
}: Pick<PartitionHeat, 'utilization' | 'others'>): number {
  return utilization + (others?.utilization ?? 0);
}

/** Whether the key was found hot, or is throttled for its own use. */
export function isHot(
  heat: Pick<RankedPartition, 'utilization' | 'throttlesPerSecond' | 'hotSince'>,
): boolean {
  return (
    heat.hotSince !== undefined || (keyThrottles(heat) > 0 && heat.utilization >= explainedFrom)
  );
}

/**
 * The order of keys in all reports: hot keys first, then by share of the limit, by throttles (both
 * descending), and by name.
 */
export function hottestFirst(left: RankedPartition, right: RankedPartition): number {
  return (
    Number(isHot(right)) - Number(isHot(left)) ||
    right.utilization - left.utilization ||
    keyThrottles(right) - keyThrottles(left) ||
    compareTexts(left.index, right.index) ||
    compareTexts(left.unit, right.unit) ||
    compareTexts(left.partition, right.partition)
  );
}

/** The order of throttling reasons: by rate, descending, then by name. */
export function mostFrequentFirst(left: ThrottlingRate, right: ThrottlingRate): number {
  return (
    right.perSecond - left.perSecond ||
    compareTexts(left.index, right.index) ||
    compareTexts(left.unit, right.unit) ||
    compareTexts(left.scope, right.scope) ||
    compareTexts(left.reason, right.reason)
  );
}

/** An order that does not depend on the locale. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
