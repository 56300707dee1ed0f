import { withoutCovered } from './covering-filters.ts';
import { retryDelay } from '../connection/retry-delay.ts';
import { canIdentify, identified } from './subscription-identifiers.ts';
import { unsubscribe } from './unsubscribe.ts';
import type { IClientSubscribeOptions, IConnackPacket, MqttClient, ISubscriptionMap } from 'mqtt';
import type { SubscriberOptions } from '../options/subscriber-options.ts';

export interface SubscriptionsOptions extends Pick<
  SubscriberOptions,
  'topics' | 'unsharedTopics' | 'group' | 'formerGroup' | 'version' | 'log'
> {
  client: MqttClient;
  /** Maximum QoS that the broker supports. */
  maximumQos: () => 0 | 1;
  /** Whether the connection with this number is still the current one. */
  isCurrent: (connection: number) => boolean;
  onSubscribed: () => void;
  onRefused: (reason: string) => void;
}

/** The subscriptions of a session: requested over each connection, and again when the broker refuses them. */
export class Subscriptions {
  readonly filters: readonly string[];
  readonly #options: SubscriptionsOptions;
  #canIdentify = false;
  #refusals = 0;
  #hasLeftFormer = false;

  constructor(options: SubscriptionsOptions) {
    const { topics, unsharedTopics = [], group } = options;
    this.#options = options;
    const filters =
      group === undefined
        ? [...topics, ...unsharedTopics]
        : [...topics.map((topic) => `$share/${group}/${topic}`), ...unsharedTopics];
    this.filters = withoutCovered(filters);
  }

  /**
   * Subscribes to all filters, also where the session is present: Mosquitto loses shared
   * subscriptions in a restart, and plain ones where it was killed before saving them. With MQTT 5
   * nothing is replayed for an existing subscription (Retain Handling 1); with MQTT 3.1.1 the
   * receiver recognises replays.
   */
  connected(connection: number, connack: IConnackPacket): void {
    this.#canIdentify = canIdentify(this.#options, connack);
    if (!connack.sessionPresent) this.#hasLeftFormer = true;
    this.#subscribe(connection, this.filters);
  }

  /**
   * Ends subscriptions of a former configuration that the session still has, and whose messages
   * would be received as well. It happens after the new subscriptions are granted: a message
   * received twice is better than a lost one. Where the broker refuses, it is repeated over the next connection.
   */
  #leaveFormer(): void {
    if (this.#hasLeftFormer) return;
    const { client, topics, group, formerGroup, log } = this.#options;
    const former = group === undefined ? [] : [...topics];
    if (formerGroup !== undefined && formerGroup !== group) {
      former.push(...topics.map((topic) => `$share/${formerGroup}/${topic}`));
    }
    const filters = former.filter((filter) => !this.filters.includes(filter));
    if (filters.length === 0) return;
    unsubscribe(client, filters).then(
      () => (this.#hasLeftFormer = true),
      (error: unknown) => log.warn({ err: error, filters }, 'leaving the former group failed'),
    );
  }

  #subscribe(connection: number, filters: readonly string[]): void {
    const { isCurrent, onSubscribed, onRefused } = this.#options;
    void Promise.all(this.#requests(filters)).then((results) => {
      if (!isCurrent(connection)) return;
      const refused = results.flatMap((result) => result.refused);
      const reason = results.map((result) => result.reason).find((each) => each !== undefined);
      if (reason === undefined) {
        this.#refusals = 0;
        this.#leaveFormer();
        onSubscribed();
        return;
      }
      onRefused(reason);
      this.#refusals += 1;
      setTimeout(() => {
        if (isCurrent(connection)) this.#subscribe(connection, refused);
      }, retryDelay(this.#refusals)).unref();
    });
  }

  /** One SUBSCRIBE per subscription identifier. Unshared filters come first, so that their copies are recognised. */
  #requests(filters: readonly string[]): Promise<SubscribeResult>[] {
    const { client, maximumQos } = this.#options;
    const qos = maximumQos();
    if (!this.#canIdentify) return [request(client, filters, { qos: 1 }, qos)];
    const kinds = [
      { options: identified('unsharedTopics'), own: filters.filter((filter) => !isShared(filter)) },
      { options: identified('topics'), own: filters.filter(isShared) },
    ];
    return kinds
      .filter(({ own }) => own.length > 0)
      .map(({ options, own }) => request(client, own, options, qos));
  }
}

interface SubscribeResult {
  refused: readonly string[];
  /** Undefined where all filters were granted. */
  reason: string | undefined;
}

/** @param qos the QoS to be granted */
function request(
  client: MqttClient,
  filters: readonly string[],
  options: IClientSubscribeOptions,
  qos: 0 | 1,
): Promise<SubscribeResult> {
  return new Promise((resolve) => {
    client.subscribe(subscriptionMap(filters), options, (error, _, suback) => {
      // A code per filter, in order [MQTT-3.9.3-1]; mqtt.js reports none where one is refused.
      const codes = suback?.granted.map(Number) ?? [];
      const refused = filters.filter((_filter, index) => codes[index] !== qos);
      const named = codes.length === 0 ? filters.join(', ') : (refused[0] ?? '');
      const why = error?.message ?? `not granted QoS ${qos}`;
      const isGranted = error === null && refused.length === 0;
      const reason = isGranted ? undefined : `the subscription to ${named} was refused: ${why}`;
      resolve({ refused, reason });
    });
  });
}

function isShared(filter: string): boolean {
  return filter.startsWith('$share/');
}

/**
 * The subscription options of mqtt.js. QoS 1 suffices, since storing is idempotent. Retained
 * messages are replayed for new subscriptions only (rh 1), and the retain flag marks replayed
 * messages (rap false).
 */
function subscriptionMap(filters: readonly string[]): ISubscriptionMap {
  return Object.fromEntries(
    filters.map((filter) => [filter, { qos: 1 as const, rh: 1, rap: false }]),
  );
}
