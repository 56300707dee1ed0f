import type { Delivery } from './delivery.ts';

/**
 * The latest message of each topic, to recognise it when the broker replays it as the topic's retained message. Beyond the limit
 * the topic that was silent for longest is forgotten.
 */
export class LatestByTopic {
  readonly #maxTopics: number;
  readonly #latest = new Map<string, Delivery>();

  constructor(maxTopics: number) {
    this.#maxTopics = maxTopics;
  }

  set(topic: string, delivery: Delivery): void {
    this.#latest.delete(topic);
    this.#latest.set(topic, delivery);
    if (this.#latest.size <= this.#maxTopics) return;
    for (const oldest of this.#latest.keys()) {
      this.#latest.delete(oldest);
      return;
    }
  }

  find(topic: string, fingerprint: string): Delivery | undefined {
    const delivery = this.#latest.get(topic);
    return delivery?.fingerprint === fingerprint ? delivery : undefined;
  }
}
