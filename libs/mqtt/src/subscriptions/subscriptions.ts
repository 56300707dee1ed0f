import { withoutCovered } from './covering-filters.ts';
import { retryDelay } from '../connection/retry-delay.ts';
import { canIdentify, identified } from './subscription-identifiers.ts';
import { subscriptionMap } from './subscription-map.ts';
import type { IClientSubscribeOptions, IConnackPacket, MqttClient } from 'mqtt';
import type { SubscriberOptions } from '../options/subscriber-options.ts';

export interface SubscriptionsOptions extends Pick<
  SubscriberOptions,
  'topics' | 'unsharedTopics' | 'group' | 'formerGroup' | 'version'
> {
  client: MqttClient;
  /** Whether what was asked for over the connection with this number is still of interest. */
  isCurrent: (connection: number) => boolean;
  onSubscribed: () => void;
  onRefused: (reason: string) => void;
}

/** The subscriptions of a session: made over each connection, and again when they are refused. */
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
   * Subscribes to everything, also where the broker says that the session is present: Mosquitto forgets shared subscriptions in a
   * restart, and plain ones where it was killed before it had saved them. With MQTT 5 nothing is replayed for a subscription
   * that exists (Retain Handling 1); with MQTT 3.1.1 the receiver recognises replays.
   */
  connected(connection: number, connack: IConnackPacket): void {
    this.#canIdentify = canIdentify(this.#options, connack);
    if (!connack.sessionPresent) this.#hasLeftFormer = true;
    this.#subscribe(connection, this.filters);
  }

  /**
   * A session may have subscriptions of a former configuration, whose messages would come, too. They end after the new ones have begun:
   * a message that comes twice is better than one that nobody gets.
   */
  #leaveFormer(): void {
    if (this.#hasLeftFormer) return;
    this.#hasLeftFormer = true;
    const { client, topics, group, formerGroup } = this.#options;
    const former = group === undefined ? [] : [...topics];
    if (formerGroup !== undefined && formerGroup !== group) {
      former.push(...topics.map((topic) => `$share/${formerGroup}/${topic}`));
    }
    const filters = former.filter((filter) => !this.filters.includes(filter));
    if (filters.length > 0) client.unsubscribe(filters);
  }

  #subscribe(connection: number, filters: readonly string[]): void {
    const { isCurrent, onSubscribed, onRefused } = this.#options;
    void Promise.all(this.#requests(filters)).then((answers) => {
      if (!isCurrent(connection)) return;
      const refused = answers.flatMap((answer) => answer.refused);
      const reason = answers.map((answer) => answer.reason).find((each) => each !== undefined);
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

  /** All of one SUBSCRIBE have the same identifier. The unshared first: what they bring explains what the others bring. */
  #requests(filters: readonly string[]): Promise<SubscribeResult>[] {
    const { client } = this.#options;
    if (!this.#canIdentify) return [request(client, filters, { qos: 1 })];
    const kinds = [
      { options: identified('unsharedTopics'), own: filters.filter((filter) => !isShared(filter)) },
      { options: identified('topics'), own: filters.filter(isShared) },
    ];
    return kinds
      .filter(({ own }) => own.length > 0)
      .map(({ options, own }) => request(client, own, options));
  }
}

interface SubscribeResult {
  refused: readonly string[];
  /** Undefined where everything was granted. */
  reason: string | undefined;
}

function request(
  client: MqttClient,
  filters: readonly string[],
  options: IClientSubscribeOptions,
): Promise<SubscribeResult> {
  return new Promise((resolve) => {
    client.subscribe(subscriptionMap(filters), options, (error, _, suback) => {
      // A code for each filter, in their order [MQTT-3.9.3-1]; mqtt.js names none when one is refused.
      const codes = suback?.granted.map(Number) ?? [];
      const refused = filters.filter((_filter, index) => codes[index] !== 1);
      const named = codes.length === 0 ? filters.join(', ') : (refused[0] ?? '');
      const why = error?.message ?? 'not granted QoS 1';
      const isGranted = error === null && refused.length === 0;
      const reason = isGranted ? undefined : `the subscription to ${named} was refused: ${why}`;
      resolve({ refused, reason });
    });
  });
}

function isShared(filter: string): boolean {
  return filter.startsWith('$share/');
}
