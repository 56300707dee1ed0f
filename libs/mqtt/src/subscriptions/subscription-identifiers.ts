import type { IClientSubscribeOptions, IConnackPacket, IPublishPacket } from 'mqtt';
import type { SubscriberOptions } from '../options/subscriber-options.ts';

/** MQTT 5 subscription identifiers: with a message the broker names the subscriptions that it matches (MQTT 5, 3.3.2.3.8). */
const identifiers = { topics: 1, unsharedTopics: 2 };

/**
 * Whether subscriptions have identifiers. Without a group each message comes for all of our subscriptions together, and there
 * are no copies to tell apart.
 */
export function canIdentify(
  { version, group }: Pick<SubscriberOptions, 'version' | 'group'>,
  { properties }: Pick<IConnackPacket, 'properties'>,
): boolean {
  // A broker says so where it has none (MQTT 5, 3.2.2.3.12).
  const hasNone = properties?.subscriptionIdentifiersAvailable === false;
  return version === '5' && group !== undefined && !hasNone;
}

export function identified(kind: keyof typeof identifiers): IClientSubscribeOptions {
  return { qos: 1, properties: { subscriptionIdentifier: identifiers[kind] } };
}

/** Whether the message matches only subscriptions that are not shared with the group. */
export function isUnsharedCopy(
  { group }: Pick<SubscriberOptions, 'group'>,
  { properties }: Pick<IPublishPacket, 'properties'>,
): boolean {
  // A session that was in a group before may still have such a subscription, and then no other one brings the message.
  if (group === undefined) return false;
  const found = [properties?.subscriptionIdentifier].flat();
  return found.includes(identifiers.unsharedTopics) && !found.includes(identifiers.topics);
}
