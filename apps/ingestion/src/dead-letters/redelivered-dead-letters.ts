import {
  deadLetterDeliveryPartition,
  deadLetterKey,
  deadLetterPartition,
  parseKey,
} from '@engawa/keys';
import { formerDeadLetterPrefix, keyOf, parseDeadLetterHead } from '@engawa/model';
import { Semaphore } from '../concurrency/semaphore.ts';
import { retryForever } from '../concurrency/retry-forever.ts';
import { spreadShard } from './dead-letter-shards.ts';
import { deliveryName } from './dead-letter-writer.ts';
import type { Key } from '@engawa/keys';
import type { DeadLetter, Document } from '@engawa/model';
import type { QueryRequest, Table } from '@engawa/table';
import type { NewDeadLetter } from './dead-letter-of-message.ts';
import type { RetryOptions } from '../concurrency/retry-forever.ts';

export interface RedeliveredDeadLettersOptions extends RetryOptions {
  table: Table;
}

const dayMs = 86_400_000;
/** Maximum number of lookups at the same time: after a crash every unacknowledged message is delivered again. */
const maxLookups = 16;

/**
 * Finds the dead letter of a redelivered message: the process that wrote it ended before the acknowledgement. Two
 * deliveries are the same message only if MQTT says so: DUP, the same session, packet identifier and bytes.
 */
export class RedeliveredDeadLetters {
  readonly #options: RedeliveredDeadLettersOptions;
  readonly #lookups = new Semaphore(maxLookups);

  constructor(options: RedeliveredDeadLettersOptions) {
    this.#options = options;
  }

  /**
   * Whether the delivery of this dead letter is stored already, today or yesterday. For each day a Query of the records
   * of the delivery, and two GetItems if there is one; without records the same for the ids of versions up to 0.2.0.
   */
  async isStored(made: NewDeadLetter): Promise<boolean> {
    const release = await this.#lookups.acquire(1, this.#options.signal);
    try {
      return await this.#find(made);
    } finally {
      release();
    }
  }

  /** A packet identifier is reused only after its message is acknowledged: so the newest dead letter decides. */
  async #find({ deadLetter, delivery }: NewDeadLetter): Promise<boolean> {
    for (const receivedAt of [deadLetter.receivedAt, deadLetter.receivedAt - dayMs]) {
      const day = dayOf(receivedAt);
      const newest =
        (await this.#recorded(day, delivery)) ?? (await this.#former(receivedAt, delivery));
      if (newest === undefined) continue;
      const shards = [0, spreadShard(newest)];
      const heads = shards.map((shard) => this.#head(deadLetterKey(day, shard, newest)));
      return (await Promise.all(heads)).some((head) => head && isSame(head, deadLetter));
    }
    return false;
  }

  /** The id of the last dead letter of a delivery, or of one that was not completely written. */
  #recorded(day: string, delivery: Buffer): Promise<string | undefined> {
    const pk = deadLetterDeliveryPartition(day, deliveryName(delivery));
    return this.#newest({ pk });
  }

  /** The same for versions up to 0.2.0: the ids of a delivery have a common prefix, in one of two shards. */
  async #former(receivedAt: number, delivery: Buffer): Promise<string | undefined> {
    const beginsWith = formerDeadLetterPrefix({ receivedAt, delivery });
    const partitions = [0, spreadShard(beginsWith)].map((shard) =>
      deadLetterPartition(dayOf(receivedAt), shard),
    );
    const found = await Promise.all(
      partitions.map((pk) => this.#newest({ pk, sk: { beginsWith } })),
    );
    return found
      .filter((id) => id !== undefined)
      .toSorted()
      .at(-1);
  }

  /** The dead letter of the last key. */
  async #newest(keys: Pick<QueryRequest, 'pk' | 'sk'>): Promise<string | undefined> {
    const { table } = this.#options;
    const query = { ...keys, descending: true, limit: 1, consistent: true };
    const { items } = await retryForever(() => table.query(query), this.#options);
    const [key] = items.map((item) => parseKey(keyOf(item)));
    return key !== undefined && 'letter' in key ? key.letter : undefined;
  }

  /** The head is written last: without it the dead letter is not stored. */
  #head(key: Key): Promise<Document | undefined> {
    const { table } = this.#options;
    return retryForever(() => table.get(key, { consistent: true }), this.#options);
  }
}

function isSame(head: Document, deadLetter: DeadLetter): boolean {
  const { topic, bytes, session, messageId } = parseDeadLetterHead(head);
  return (
    topic === deadLetter.topic &&
    bytes === deadLetter.payload.length &&
    session === deadLetter.session &&
    messageId === deadLetter.messageId
  );
}

function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
