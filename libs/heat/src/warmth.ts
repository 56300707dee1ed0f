import type { Partition, PartitionHeat, ThrottlingRate, ThrottlingScope } from './partition.ts';

/** What is known of a key wherever it is put in order. */
export interface Warm extends Partition {
  utilization: number;
  throttlesPerSecond: PartitionHeat['throttlesPerSecond'];
  hotSince?: number | string;
}

/**
 * Whether a throttle speaks of the key itself. What came back without a reason does too: it is blamed on the hottest key that
 * it may have been. What the table, the account or a setting has run out of says nothing of a key.
 */
export function concernsKey(scope: ThrottlingScope): boolean {
  return scope === 'key_range' || scope === 'other';
}

/** Throttles a second that speak of the key itself. */
export function keyThrottles({ throttlesPerSecond }: Pick<Warm, 'throttlesPerSecond'>): number {
  const { key_range = 0, other = 0 } = throttlesPerSecond;
  return key_range + other;
}

/** What all processes use of a key, as far as is known, as a share of what a partition takes. */
export function sumUtilization({
  utilization,
  others,
}: Pick<PartitionHeat, 'utilization' | 'others'>): number {
  return utilization + (others?.utilization ?? 0);
}

/** Throttled for its own sake, or found to be hot. */
export function isHot(heat: Pick<Warm, 'throttlesPerSecond' | 'hotSince'>): boolean {
  return heat.hotSince !== undefined || keyThrottles(heat) > 0;
}

/**
 * The one order that there is: those that are hot first, then by share of the limit, the highest first; of those that are
 * alike the more often throttled one, then by name.
 */
export function hottestFirst(left: Warm, right: Warm): number {
  return (
    Number(isHot(right)) - Number(isHot(left)) ||
    right.utilization - left.utilization ||
    keyThrottles(right) - keyThrottles(left) ||
    compareTexts(left.index, right.index) ||
    compareTexts(left.unit, right.unit) ||
    compareTexts(left.partition, right.partition)
  );
}

/** Orders reasons for throttling: the most frequent first, then by what they are. */
export function mostFrequentFirst(left: ThrottlingRate, right: ThrottlingRate): number {
  return (
    right.perSecond - left.perSecond ||
    compareTexts(left.index, right.index) ||
    compareTexts(left.unit, right.unit) ||
    compareTexts(left.scope, right.scope) ||
    compareTexts(left.reason, right.reason)
  );
}

/** The same order on every machine, whatever its language. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
