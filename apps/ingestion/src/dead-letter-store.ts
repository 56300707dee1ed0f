import { createHash } from 'node:crypto';
import { shardOf } from '@engawa/keys';
import { persist } from './persist.ts';
import { deadLetterId, deadLetterItems, valueSize } from '@engawa/model';
import { whyRefused } from './refusal.ts';
import type { DeadLetter } from '@engawa/model';
import type { Message } from '@engawa/mqtt';
import type { BatchWriter, Table } from '@engawa/table';
import type { Key } from '@engawa/keys';
import type { PersistOptions } from './persist.ts';
import type { IngestionMetrics } from './metrics.ts';
import type { Refusal } from './refusal.ts';

export interface DeadLetterStoreOptions extends PersistOptions {
  writer: BatchWriter;
  table: Table;
  metrics: IngestionMetrics;
  /** Over how many keys the letters of one day are spread. */
  shards: number;
}

/** Bytes: more than these, beside a payload and a topic, an item could not hold, and the message would come for ever. */
const largestProperties = 32 * 1024;

/** Keeps messages that cannot become readings, whole, so that nothing acknowledged is lost. */
export class DeadLetterStore {
  readonly #options: DeadLetterStoreOptions;

  constructor(options: DeadLetterStoreOptions) {
    this.#options = options;
  }

  /**
   * Resolves once the message is durable, with all that is wrong with it.
   * @param nonce makes it a letter of its own, whatever others say the same
   */
  async keep(message: Message, refusals: readonly Refusal[], nonce = ''): Promise<void> {
    const { writer, metrics, shards } = this.#options;
    const letter = toLetter(message, refusals, nonce);
    const [head, ...others] = deadLetterItems(letter, shardOf(letter.id, shards));
    // The head last: whoever finds it finds the letter whole.
    await Promise.all(others.map((item) => writer.put(item)));
    await writer.put(head);
    metrics.deadLetterKept(letter.reason);
  }

  /** What was kept with this nonce is durable in another way. */
  async takeBack(message: Message, nonce: string): Promise<void> {
    const { table, shards } = this.#options;
    const letter = toLetter(message, [], nonce);
    for (const { pk, sk } of deadLetterItems(letter, shardOf(letter.id, shards))) {
      const key = { pk, sk } as Key; // of an item, so texts
      await persist(() => table.delete(key), this.#options);
    }
    this.#options.metrics.deadLetterEnded('storing');
  }
}

/**
 * The same message received again on the same day is the same dead letter, as the same reading is the same reading.
 */
function toLetter(
  { topic, payload, userProperties = {}, receivedAt }: Message,
  refusals: readonly Refusal[],
  nonce: string,
): DeadLetter {
  const hash = createHash('sha256')
    .update(`${topic.length} ${topic}`)
    .update(payload)
    .update(nonce);
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
