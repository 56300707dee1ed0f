import { createHash } from 'node:crypto';
import { letterShard } from './letter-shards.ts';
import { deadLetterId, deadLetterItems, deadLettersSpreadItem, valueSize } from '@engawa/model';
import { whyRefused } from '../refusal.ts';
import type { DeadLetter } from '@engawa/model';
import type { Message } from '@engawa/mqtt';
import type { BatchWriter, Table } from '@engawa/table';
import type { RetryOptions } from '../retry-forever.ts';
import type { IngestionMetrics } from '../metrics.ts';
import type { Refusal } from '../refusal.ts';

export interface DeadLetterStoreOptions extends RetryOptions {
  writer: BatchWriter;
  table: Table;
  metrics: IngestionMetrics;
}

/** Bytes: more than these, beside a payload and a topic, an item could not hold, and the message would come for ever. */
const largestProperties = 32 * 1024;

/** Keeps messages that cannot become readings, whole, so that nothing acknowledged is lost. */
export class DeadLetterStore {
  readonly #options: DeadLetterStoreOptions;
  /** Of which day it has been written that its letters are spread. */
  #spreadDay: { day: string; written: Promise<void> } | undefined;

  constructor(options: DeadLetterStoreOptions) {
    this.#options = options;
  }

  /**
   * Resolves once the message is durable, with all that is wrong with it.
   */
  async keep(message: Message, refusals: readonly Refusal[]): Promise<void> {
    const { writer, metrics } = this.#options;
    const letter = toLetter(message, refusals);
    const shard = letterShard(letter);
    if (shard > 0) await this.#spread(letter);
    const [head, ...others] = deadLetterItems(letter, shard);
    // The head last: whoever finds it finds the letter whole.
    await Promise.all(others.map((item) => writer.put(item)));
    await writer.put(head);
    metrics.deadLetterKept(letter.reason);
  }

  /** Whoever looks through the letters of that day has to find those in other shards than the first. */
  async #spread({ receivedAt }: Pick<DeadLetter, 'receivedAt'>): Promise<void> {
    const item = deadLettersSpreadItem(receivedAt);
    const day = item['pk'] as string; // a key, so a text
    // Of a day that is over there are few letters: written once more, it says the same.
    if (this.#spreadDay?.day !== day) {
      this.#spreadDay = { day, written: this.#options.writer.put(item) };
    }
    await this.#spreadDay.written;
  }
}

/**
 * The same message received again on the same day is the same dead letter, as the same reading is the same reading.
 */
function toLetter(
  { topic, payload, userProperties = {}, receivedAt }: Message,
  refusals: readonly Refusal[],
): DeadLetter {
  const hash = createHash('sha256').update(`${topic.length} ${topic}`).update(payload);
  const why = whyRefused(refusals);
  const size = valueSize(userProperties);
  const isTooMuch = size > largestProperties;
  return {
    ...why,
    id: deadLetterId(receivedAt, hash.digest()),
    topic,
    payload,
    receivedAt,
    properties: isTooMuch ? {} : userProperties,
    ...(isTooMuch && {
      detail: `${why.detail}; its ${size} bytes of user properties are left out`,
    }),
  };
}
