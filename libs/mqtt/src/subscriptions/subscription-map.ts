import type { ISubscriptionMap } from 'mqtt';

/**
 * The subscription options of mqtt.js. QoS 1 suffices, since storing is idempotent. Retained
 * messages are replayed for new subscriptions only (rh 1), and the retain flag marks replayed
 * messages (rap false).
 */
export function subscriptionMap(filters: readonly string[]): ISubscriptionMap {
  return Object.fromEntries(
    filters.map((filter) => [filter, { qos: 1 as const, rh: 1, rap: false }]),
  );
}
