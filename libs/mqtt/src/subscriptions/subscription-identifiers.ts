import type { IClientSubscribeOptions, IConnackPacket, IPublishPacket } from 'mqtt';
import type { SubscriberOptions } from '../options/subscriber-options.ts';

/**
 * MQTT 5 subscription identifiers: the broker adds those of the matching subscriptions to a message
 * (MQTT 5, 3.3.2.3.8).
 */
const identifiers = { topics: 1, unsharedTopics: 2 };

/**
 * Whether to use subscription identifiers. Without a group each message is delivered once for all
 * subscriptions of the session, and there are no copies to recognise.
 */
export function canIdentify(
  { version, group }: Pick<SubscriberOptions, 'version' | 'group'>,
  { properties }: Pick<IConnackPacket, 'properties'>,
): boolean {
  // A broker without them says so (MQTT 5, 3.2.2.3.12).
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
  // A session that left a group may still have such a subscription, and then this is the only delivery.
  if (group === undefined) return false;
  const found = [properties?.subscriptionIdentifier].flat();
  return found.includes(identifiers.unsharedTopics) && !found.includes(identifiers.topics);
}
