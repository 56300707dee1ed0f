import { deadLetterKey, deadLetterPartition, parseKey } from '@engawa/keys';
import { deadLetterPrefix, keyOf, parseDeadLetterHead } from '@engawa/model';
import { Budget } from '../budget.ts';
import { retryForever } from '../retry-forever.ts';
import { spreadShard } from './letter-shards.ts';
import type { DeadLetter, Document } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { RetryOptions } from '../retry-forever.ts';

export interface RedeliveredLettersOptions extends RetryOptions {
  table: Table;
}

const millisecondsOfDay = 86_400_000;
/** Lookups at once: after a crash every message that was unacknowledged comes again. */
const maxLookups = 16;

/**
 * Finds the letter of a delivery that the broker repeats: the process that kept it ended before it acknowledged the
 * message. Two deliveries are one message only if MQTT says so: DUP, the same session, packet identifier and bytes.
 */
export class RedeliveredLetters {
  readonly #options: RedeliveredLettersOptions;
  readonly #lookups = new Budget(maxLookups);

  constructor(options: RedeliveredLettersOptions) {
    this.#options = options;
  }

  /**
   * Whether the delivery of this letter is kept already, today or yesterday. Costs a Query of one item for each of the
   * two shards that it may be in, on each day. Rejects only when closing begins.
   */
  async isKept(letter: DeadLetter): Promise<boolean> {
    const release = await this.#lookups.acquire(1, this.#options.signal);
    try {
      return await this.#find(letter);
    } finally {
      release();
    }
  }

  async #find(letter: DeadLetter): Promise<boolean> {
    for (const receivedAt of [letter.receivedAt, letter.receivedAt - millisecondsOfDay]) {
      const prefix = deadLetterPrefix(letter.id, receivedAt);
      const newest = await Promise.all(
        [0, spreadShard(prefix)].map((shard) => this.#newest(dayOf(receivedAt), shard, prefix)),
      );
      const found = newest.filter((item) => item !== undefined);
      // A packet identifier is used again only when its message is acknowledged: so the newest letter decides.
      const [last] = found.toSorted((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? 1 : -1));
      if (last !== undefined) return this.#isSame(last, letter);
    }
    return false;
  }

  async #newest(day: string, shard: number, beginsWith: string): Promise<Document | undefined> {
    const { table } = this.#options;
    const pk = deadLetterPartition(day, shard);
    const query = { pk, sk: { beginsWith }, descending: true, limit: 1, consistent: true };
    const { items } = await retryForever(() => table.query(query), this.#options);
    return items[0];
  }

  /** A letter of several parts is written with its head last: without a head it is not kept. */
  async #isSame(item: Document, letter: DeadLetter): Promise<boolean> {
    const key = parseKey(keyOf(item));
    if (key.item !== 'deadLetter') return false;
    const headKey = deadLetterKey(key.day, key.shard, key.letter);
    const { table } = this.#options;
    const head =
      key.part === 0
        ? item
        : await retryForever(() => table.get(headKey, { consistent: true }), this.#options);
    if (head === undefined) return false;
    const { topic, bytes, session, messageId } = parseDeadLetterHead(head);
    return (
      topic === letter.topic &&
      bytes === letter.payload.length &&
      session === letter.session &&
      messageId === letter.messageId
    );
  }
}

function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

function sortKeyOf(item: Document): string {
  return keyOf(item).sk;
}
