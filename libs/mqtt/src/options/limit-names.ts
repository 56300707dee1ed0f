/** What a broker may lack; labels of a metric. */
export const limitNames = [
  'session_expiry',
  'maximum_qos',
  'maximum_packet_size',
  'retained_messages',
  'shared_subscriptions',
  'wildcard_subscriptions',
  'subscription_identifiers',
] as const;
export type LimitName = (typeof limitNames)[number];
