/** A message that is not durable yet. */
export interface PendingMessage {
  topic: string;
}

export interface ProgressOptions {
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
  /** What the table said last, as a sentence without its end. */
  tableSaid: () => string;
}

/** Milliseconds without progress after which a person has to look. */
const maxStandstillMs = 120_000;
/** Characters of a topic that a sentence quotes. */
const maxTopicLength = 128;

/**
 * Watches whether the oldest message becomes durable. Acknowledgements leave in the order of receipt, so one message
 * that does not ends the stream, unseen as long as the broker queues.
 */
export class Progress {
  readonly #options: ProgressOptions;
  readonly #now: () => number;
  /** In the order of receipt. */
  readonly #pending = new Set<PendingMessage>();
  /** Since when the oldest one has been the oldest. */
  #since = 0;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  received(message: PendingMessage): void {
    if (this.#pending.size === 0) this.#since = this.#now();
    this.#pending.add(message);
  }

  released(message: PendingMessage): void {
    if (this.#oldest === message) this.#since = this.#now();
    this.#pending.delete(message);
  }

  /** Why there is no progress, or undefined. */
  missing(): string | undefined {
    const oldest = this.#oldest;
    const standstillMs = this.#now() - this.#since;
    if (oldest === undefined || standstillMs < maxStandstillMs) return undefined;
    const seconds = Math.floor(standstillMs / 1000);
    const topic = JSON.stringify(oldest.topic.slice(0, maxTopicLength));
    return `no progress for ${seconds} s: the oldest of ${this.#pending.size} unacknowledged messages, of topic ${topic}, cannot be stored; ${this.#options.tableSaid()}`;
  }

  get #oldest(): PendingMessage | undefined {
    return this.#pending.values().next().value;
  }
}
