import { subscriptionMap } from './client-options.ts';
import { withoutCovered } from './covering-filters.ts';
import { retryDelay } from './retry-delay.ts';
import type { MqttClient } from 'mqtt';
import type { SubscriberOptions } from './subscriber-options.ts';

export interface SubscriptionsOptions extends Pick<
  SubscriberOptions,
  'topics' | 'unsharedTopics' | 'group' | 'formerGroup'
> {
  client: MqttClient;
  /** Whether what was asked for over the connection with this number is still of interest. */
  isCurrent: (connection: number) => boolean;
  onSubscribed: () => void;
  onRefused: (reason: string) => void;
}

/** The subscriptions of a session: made when they are missing, and again when they are refused. */
export class Subscriptions {
  readonly filters: readonly string[];
  readonly #options: SubscriptionsOptions;
  /** Those that the session has, as far as this process knows. */
  readonly #granted = new Set<string>();
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
   * Subscribes to what the session lacks. A process that has just started subscribes to everything: the session may be of another
   * configuration. Later a plain filter is not subscribed to again in the same session, since with MQTT 3.1.1 all retained
   * messages would be replayed. Shared ones are: Mosquitto forgets them in a restart and keeps the session.
   */
  connected(connection: number, sessionPresent: boolean): void {
    if (!sessionPresent) {
      this.#granted.clear();
      this.#hasLeftFormer = true;
    }
    const missing = this.filters.filter(
      (filter) => filter.startsWith('$share/') || !this.#granted.has(filter),
    );
    if (missing.length === 0) this.#options.onSubscribed();
    else this.#subscribe(connection, missing);
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
    const { client, isCurrent, onRefused } = this.#options;
    client.subscribe(subscriptionMap(filters), (error, _, suback) => {
      if (!isCurrent(connection)) return;
      // A code for each filter, in their order [MQTT-3.9.3-1]; mqtt.js names none when one is refused.
      const codes = suback?.granted.map(Number) ?? [];
      for (const [index, filter] of filters.entries()) {
        if (codes[index] === 1) this.#granted.add(filter);
      }
      const refused = filters.filter((_filter, index) => codes[index] !== 1);
      if (error === null && refused.length === 0) {
        this.#refusals = 0;
        this.#leaveFormer();
        this.#options.onSubscribed();
        return;
      }
      const named = codes.length === 0 ? filters.join(', ') : (refused[0] ?? '');
      onRefused(
        `the subscription to ${named} was refused: ${error?.message ?? 'not granted QoS 1'}`,
      );
      this.#refusals += 1;
      setTimeout(() => {
        if (isCurrent(connection)) this.#subscribe(connection, refused);
      }, retryDelay(this.#refusals)).unref();
    });
  }
}
