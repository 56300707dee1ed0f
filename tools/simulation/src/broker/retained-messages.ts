import { isExpired } from './message.ts';
import { matchesTopic } from './topics.ts';
import type { Message } from './message.ts';
import type { TopicFilter } from './topics.ts';

/** The last retained message of each topic (MQTT 5, 3.3.1.3). */
export class RetainedMessages {
  readonly #byTopic = new Map<string, Message>();

  /** An empty payload removes the topic's retained message [MQTT-3.3.1-6, -7]. */
  set(message: Message): void {
    this.#byTopic.delete(message.topic);
    if (message.payload.length > 0) this.#byTopic.set(message.topic, message);
  }

  /** The matching messages that have not expired, in the order of publication. */
  matching(filter: TopicFilter, now: number): Message[] {
    return this.all().filter(
      (message) =>
        !isExpired(message, now) && matchesTopic(filter.levels, message.topic.split('/')),
    );
  }

  all(): Message[] {
    return [...this.#byTopic.values()];
  }
}
