import type { IConnackPacket } from 'mqtt';
import type { LimitName } from '../options/limit-names.ts';
import type { SubscriberOptions } from '../options/subscriber-options.ts';

/** Limits with which no message is received. */
const silencing: readonly LimitName[] = ['shared_subscriptions', 'wildcard_subscriptions'];

export type LimitedOptions = Pick<
  SubscriberOptions,
  'sessionExpirySeconds' | 'maxPacketBytes' | 'group' | 'topics' | 'unsharedTopics' | 'log'
>;

/** The limits of the broker that restrict what was configured. */
export class BrokerLimits {
  readonly #options: LimitedOptions;
  #reasons = new Map<LimitName, string>();

  constructor(options: LimitedOptions) {
    this.#options = options;
  }

  /** Why the broker cannot do all that was configured, or undefined where it can. */
  get reason(): string | undefined {
    return this.#reasons.size === 0 ? undefined : [...this.#reasons.values()].join('; ');
  }

  /** Why no message is received because of a limit. */
  get silenceReason(): string | undefined {
    const limit = silencing.find((name) => this.#reasons.has(name));
    return limit === undefined ? undefined : this.#reasons.get(limit);
  }

  has(limit: LimitName): boolean {
    return this.#reasons.has(limit);
  }

  /** Reads the limits of an accepted connection; MQTT 3.1.1 does not report any. */
  connected({ properties }: Pick<IConnackPacket, 'properties'>): void {
    const before = this.reason;
    this.#reasons = new Map(limitsIn(properties ?? {}, this.#options));
    if (this.reason !== undefined && this.reason !== before) this.#options.log.warn(this.reason);
  }

  /** The broker takes the filter of a shared subscription for the name of a topic. */
  takesShareForTopic(): void {
    if (this.#reasons.has('shared_subscriptions')) return;
    this.#reasons.set('shared_subscriptions', withoutSharing);
    this.#options.log.error(withoutSharing);
  }
}

const withoutSharing =
  'the broker does not support shared subscriptions, so a member of MQTT_GROUP receives nothing: unset MQTT_GROUP, or replace it with MQTT_PARTITIONS';

type Properties = NonNullable<IConnackPacket['properties']>;

/** The limits that CONNACK has (MQTT 5, 3.2.2.3); an absent property means no limit. */
function* limitsIn(
  properties: Properties,
  { sessionExpirySeconds, maxPacketBytes, group, topics, unsharedTopics = [] }: LimitedOptions,
): Generator<[LimitName, string]> {
  const { sessionExpiryInterval: expiry, maximumPacketSize: packet } = properties;
  if (expiry !== undefined && expiry < sessionExpirySeconds)
    yield [
      'session_expiry',
      `the broker keeps the session for ${expiry} s, less than MQTT_SESSION_EXPIRY_SECONDS (${sessionExpirySeconds}): a longer disconnection loses messages`,
    ];
  if (properties.maximumQoS === 0)
    yield ['maximum_qos', 'the broker supports QoS 0 only: a disconnection loses messages'];
  if (packet !== undefined && packet < (maxPacketBytes ?? 0))
    yield [
      'maximum_packet_size',
      `the broker accepts packets of up to ${packet} bytes, less than MQTT_MAX_PACKET_BYTES (${maxPacketBytes}): devices cannot publish larger messages`,
    ];
  if (properties.retainAvailable === false)
    yield [
      'retained_messages',
      'the broker does not support retained messages: the state of a device is unknown until the device publishes again',
    ];
  if (properties.sharedSubscriptionAvailable === false && group !== undefined)
    yield ['shared_subscriptions', withoutSharing];
  if (properties.wildcardSubscriptionAvailable === false && topics.some(hasWildcard))
    yield [
      'wildcard_subscriptions',
      'the broker does not support wildcards in topic filters: list each topic in DECODERS',
    ];
  const needsIdentifiers = group !== undefined && unsharedTopics.length > 0;
  if (properties.subscriptionIdentifiersAvailable === false && needsIdentifiers)
    yield [
      'subscription_identifiers',
      'the broker does not support subscription identifiers: each replica stores the readings of a Sparkplug birth',
    ];
}

function hasWildcard(filter: string): boolean {
  return /[+#]/.test(filter);
}
