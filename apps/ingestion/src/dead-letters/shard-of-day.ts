import { deadLetterKey, deadLetterPartition, parseKey } from '@engawa/keys';
import { keyOf, parseDeadLetterHead } from '@engawa/model';
import { isExpired } from './is-expired.ts';
import type { DeadLetterHead, Document } from '@engawa/model';
import type { PageKey, Table } from '@engawa/table';

export type DayOrder = 'ascending' | 'descending';

export interface ShardRequest {
  day: string;
  shard: number;
  order: DayOrder;
  /** Id of a dead letter: the list begins after it, also if it does not exist. */
  after: string | undefined;
  /** Items of the first Query. */
  items: number;
  signal: AbortSignal;
}

/** A dead letter of a shard. */
export interface ShardLetter {
  head: DeadLetterHead;
  pk: string;
  isExpired: boolean;
  /** Number of its items that were read: fewer than it has if some are missing, or were written just now. */
  items: number;
}

interface OpenLetter {
  id: string;
  items: number;
  /** The item of the head, once it was read. */
  head?: Document;
}

/** Further Queries of a shard read twice as many items as the one before: they are needed if few of them match. */
const growthFactor = 2;
const maxItems = 1000;

/** The last part that a dead letter can have: a position behind all its items. */
const lastPart = 9999;

/** Without the payload, which may be large. It costs the same units. */
const headFields = [
  ...['pk', 'sk', 'ttl', 'id', 'reason', 'detail', 'detailCode', 'topic', 'properties'],
  ...['receivedAt', 'indexes', 'partlyStored', 'leftOut', 'session', 'messageId'],
  ...['bytes', 'parts', 'hasSpreadParts'],
];

/** The dead letters of one shard of a day in the order of their ids, read page by page. */
export class ShardOfDay {
  readonly #table: Table;
  readonly #request: ShardRequest;
  readonly #pk: string;
  readonly #letters: ShardLetter[] = [];
  /** The last dead letter: more of its items may follow. */
  #open: OpenLetter | undefined;
  #next: PageKey | undefined;
  #items: number;
  #hasMore = true;

  constructor(table: Table, request: ShardRequest) {
    const { day, shard, order, after, items } = request;
    this.#table = table;
    this.#request = request;
    this.#pk = deadLetterPartition(day, shard);
    this.#items = items;
    // The parts of a dead letter follow its head.
    const part = order === 'ascending' ? lastPart : 0;
    if (after !== undefined) this.#next = { ...deadLetterKey(day, shard, after, part) };
  }

  /** Whether the next dead letter is not known yet. */
  get isBehind(): boolean {
    return this.#hasMore && this.#letters.length === 0;
  }

  get isAtEnd(): boolean {
    return !this.#hasMore && this.#letters.length === 0;
  }

  /** The next dead letter, unless the shard is behind or at its end. */
  get first(): ShardLetter | undefined {
    return this.#letters[0];
  }

  take(): ShardLetter | undefined {
    return this.#letters.shift();
  }

  /** Reads until the next dead letter is known. @returns the units of the Queries */
  async read(): Promise<number> {
    let consumed = 0;
    while (this.isBehind) {
      const { order, signal } = this.#request;
      const { items, next, units } = await this.#table.query({
        pk: this.#pk,
        descending: order === 'descending',
        fields: headFields,
        limit: this.#items,
        ...(this.#next && { after: this.#next }),
        signal,
      });
      consumed += units;
      for (const item of items) this.#add(item);
      this.#next = next;
      this.#hasMore = next !== undefined;
      this.#items = Math.min(growthFactor * this.#items, maxItems);
      if (!this.#hasMore) this.#close();
    }
    return consumed;
  }

  #add(item: Document): void {
    const key = parseKey(keyOf(item));
    // Versions up to 0.2.0 may have the marker of further shards here.
    if (key.item !== 'deadLetter') return;
    if (this.#open?.id !== key.letter) this.#close();
    this.#open ??= { id: key.letter, items: 0 };
    this.#open.items += 1;
    if (key.part > 0) return;
    this.#open.head = item;
    if (this.#request.order === 'descending') this.#close();
  }

  /** Parts without a head are invisible. */
  #close(): void {
    const { head: item, items = 0 } = this.#open ?? {};
    this.#open = undefined;
    if (item === undefined) return;
    const head = parseDeadLetterHead(item);
    this.#letters.push({ head, pk: this.#pk, isExpired: isExpired(item), items });
  }
}
