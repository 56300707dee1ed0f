import { LRUCache } from 'lru-cache';
import type { RedeliverableMessage } from './redeliverable-message.ts';

/**
 * The latest message of each topic. A broker replays it as the topic's retained message, which is
 * recognised here. At more than `maxTopics`, the topic whose latest message is oldest is evicted.
 */
export class LatestByTopic {
  readonly #latest: LRUCache<string, RedeliverableMessage>;

  constructor(maxTopics: number) {
    this.#latest = new LRUCache({ max: maxTopics });
  }

  set(topic: string, message: RedeliverableMessage): void {
    this.#latest.set(topic, message);
  }

  /** The latest message of this topic, where it has this payload. */
  find(topic: string, payload: Buffer): RedeliverableMessage | undefined {
    const message = this.#latest.peek(topic);
    return message?.equals(topic, payload) === true ? message : undefined;
  }
}
