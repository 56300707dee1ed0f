import { LinkedList } from '@engawa/mqtt';
import type { Linked } from '@engawa/mqtt';

/** A message that is not durable yet. */
export interface PendingMessage extends Linked<PendingMessage> {
  readonly topic: string;
}

export interface OldestMessageWatchOptions {
  /** Monotonic milliseconds. */
  now?: () => number;
  /** The last error of the table, as a clause without a full stop. */
  tableStatus: () => string;
}

/** Milliseconds without progress after which /readyz and the metrics report it. */
const maxStandstillMs = 120_000;
/** Maximum length of a topic in a message. */
const maxTopicLength = 128;

/**
 * Watches whether the oldest message becomes durable. Acknowledgements leave in the order of receipt, so one message
 * that is not durable blocks all behind it, unnoticed while the broker queues.
 */
export class OldestMessageWatch {
  readonly #options: OldestMessageWatchOptions;
  readonly #now: () => number;
  /** In the order of receipt. */
  readonly #pending = new LinkedList<PendingMessage>();
  /** When the oldest message became the oldest. */
  #since = 0;

  constructor(options: OldestMessageWatchOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  received(message: PendingMessage): void {
    if (this.#pending.size === 0) this.#since = this.#now();
    this.#pending.add(message);
  }

  released(message: PendingMessage): void {
    if (this.#pending.first === message) this.#since = this.#now();
    this.#pending.remove(message);
  }

  /** Why the oldest message blocks all later ones; undefined if it has become the oldest only recently. */
  blockedReason(): string | undefined {
    const oldest = this.#pending.first;
    const standstillMs = this.#now() - this.#since;
    if (oldest === undefined || standstillMs < maxStandstillMs) return undefined;
    const seconds = Math.floor(standstillMs / 1000);
    const topic = JSON.stringify(oldest.topic.slice(0, maxTopicLength));
    return `no progress for ${seconds} s: the oldest of ${this.#pending.size} unacknowledged messages, of topic ${topic}, cannot be stored; ${this.#options.tableStatus()}`;
  }
}
