import { LRUCache } from 'lru-cache';
import type { Delivery } from './delivery.ts';

/**
 * The latest message of each topic. A broker replays it as the topic's retained message, which is
 * recognised here. At more than `maxTopics`, the topic whose latest message is oldest is evicted.
 */
export class LatestByTopic {
  readonly #latest: LRUCache<string, Delivery>;

  constructor(maxTopics: number) {
    this.#latest = new LRUCache({ max: maxTopics });
  }

  set(topic: string, delivery: Delivery): void {
    this.#latest.set(topic, delivery);
  }

  /** The latest message of this topic, where it has this fingerprint. */
  find(topic: string, fingerprint: string): Delivery | undefined {
    const delivery = this.#latest.peek(topic);
    return delivery?.fingerprint === fingerprint ? delivery : undefined;
  }
}
