import { deadLetterKey, deadLetterPartition, parseKey } from '@engawa/keys';
import { deadLetterPrefix, keyOf, parseDeadLetterHead } from '@engawa/model';
import { Semaphore } from '../concurrency/semaphore.ts';
import { retryForever } from '../concurrency/retry-forever.ts';
import { spreadShard } from './dead-letter-shards.ts';
import type { Key } from '@engawa/keys';
import type { DeadLetter, Document } from '@engawa/model';
import type { Table } from '@engawa/table';
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
   * Whether the delivery of this dead letter is stored already, today or yesterday. For each day and each of the two
   * shards: a Query of one item, and a GetItem if it finds something.
   */
  async isStored(deadLetter: DeadLetter): Promise<boolean> {
    const release = await this.#lookups.acquire(1, this.#options.signal);
    try {
      return await this.#find(deadLetter);
    } finally {
      release();
    }
  }

  async #find(deadLetter: DeadLetter): Promise<boolean> {
    for (const receivedAt of [deadLetter.receivedAt, deadLetter.receivedAt - dayMs]) {
      const day = dayOf(receivedAt);
      const prefix = deadLetterPrefix(deadLetter.id, receivedAt);
      const shards = [0, spreadShard(prefix)];
      const found = await Promise.all(shards.map((shard) => this.#newest(day, shard, prefix)));
      // A packet identifier is reused only after its message is acknowledged: so the newest dead letter decides.
      const newest = found
        .filter((id) => id !== undefined)
        .toSorted()
        .at(-1);
      if (newest === undefined) continue;
      const heads = shards.map((shard) => this.#head(deadLetterKey(day, shard, newest)));
      return (await Promise.all(heads)).some((head) => head && isSame(head, deadLetter));
    }
    return false;
  }

  /** The id of the last dead letter of a delivery, or of the parts of one that was not completely written. */
  async #newest(day: string, shard: number, beginsWith: string): Promise<string | undefined> {
    const { table } = this.#options;
    const pk = deadLetterPartition(day, shard);
    const query = { pk, sk: { beginsWith }, descending: true, limit: 1, consistent: true };
    const { items } = await retryForever(() => table.query(query), this.#options);
    const [key] = items.map((item) => parseKey(keyOf(item)));
    return key?.item === 'deadLetter' ? key.letter : undefined;
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
