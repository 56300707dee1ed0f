import type { Logger } from 'pino';

/** Maximum number of topics in the log, and characters of a topic. */
const maxTopics = 100;
const maxTopicLength = 256;

/**
 * Names in the log, once per process, the topics of messages that a default filter takes and no decoder recognizes. A
 * publisher may use any number of topics, so only the first are named; the metric counts all messages.
 */
export class UnrecognizedTopics {
  readonly #log: Logger;
  readonly #named = new Set<string>();
  #isFull = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  received(topic: string): void {
    const name = topic.slice(0, maxTopicLength).toWellFormed();
    if (this.#isFull || this.#named.has(name)) return;
    if (this.#named.size === maxTopics) {
      this.#isFull = true;
      this.#log.warn(
        { topics: maxTopics },
        'further topics of unrecognized messages are not named',
      );
      return;
    }
    this.#named.add(name);
    this.#log.warn(
      { topic: name },
      'no decoder recognizes the payloads of this topic: they are not stored; a topic filter in DECODERS selects a decoder for it',
    );
  }
}
