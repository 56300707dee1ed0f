import type { ISubscriptionMap } from 'mqtt';

/**
 * QoS 1 is enough, since storing is idempotent. Retained messages are replayed when the subscription is new (rh 1), and the
 * retain flag tells replayed messages from those that are published now (rap false).
 */
export function subscriptionMap(filters: readonly string[]): ISubscriptionMap {
  return Object.fromEntries(
    filters.map((filter) => [filter, { qos: 1 as const, rh: 1, rap: false }]),
  );
}
