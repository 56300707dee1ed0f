import { invariant } from '@engawa/errors';
import { maxBatchWriteItems } from '../limits.ts';
import { backoff } from '../client/backoff.ts';

/**
 * Maximum bytes of a batch by default: just below 1 MiB, which proxies often allow (nginx, client_max_body_size).
 * DynamoDB allows `maxBatchWriteBytes`.
 */
export const defaultRequestBytes = 1_000_000;

/** Bytes of a batch without its items (table name, `PutRequest` around each item), at most. */
const envelopeBytes = 4096;

/** With more throttled keys than this (shards of one family count once) the whole table is throttled, not its keys. */
const maxThrottledKeys = 16;

/**
 * Milliseconds after its backoff during which a queue without entries keeps its count of failures for the next entry.
 */
const emptyQueueMs = 1000;

interface QueueEntry {
  readonly pk: string;
  readonly bytes: number;
}

/** The outcome of one batch for a key that DynamoDB throttles. */
export interface ThrottledEntries<Waiting> {
  /** The entries that DynamoDB returned. */
  returned: readonly Waiting[];
  /** Number of accepted entries of the same key and batch: with any, the key still makes progress. */
  taken: number;
  /** Whether DynamoDB reports the capacity of the table or the account as exhausted, not the key's. */
  isTableWide?: boolean;
}

/** The entries of one throttled partition key. */
interface KeyQueue<Waiting> {
  entries: Waiting[];
  /** Consecutive throttled attempts. */
  failures: number;
  /**
   * Entries of the next attempt: slightly more than were accepted last time, since each returned entry costs a rejected
   * write.
   */
  width: number;
  /** When the next attempt may start, on the clock of `now`; Infinity while an attempt is in flight. */
  dueAt: number;
  isTableWide: boolean;
}

/**
 * Items that wait to be written. The entries of a throttled partition key wait in a queue of that key, which has its
 * own backoff and sends a few at a time; the entries of all other keys share one open queue. Time is injected.
 */
export class KeyQueues<Waiting extends QueueEntry> {
  #open: Waiting[] = [];
  readonly #queues = new Map<string, KeyQueue<Waiting>>();
  /** Number of throttled keys of each family. */
  readonly #families = new Map<string, number>();
  readonly #random: () => number;
  readonly #maxItemsBytes: number;
  #dueAt = Infinity;

  /** @param maxBytes maximum of a batch's JSON; a larger entry is a batch of its own */
  constructor(random: () => number = Math.random, maxBytes = defaultRequestBytes) {
    this.#random = random;
    this.#maxItemsBytes = maxBytes - envelopeBytes;
  }

  /** Whether the entries that wait only for a free request would fill a batch. */
  get hasFullBatch(): boolean {
    return this.#open.length >= maxBatchWriteItems;
  }

  /** Whether no entry waits only for a free request. */
  get isEmpty(): boolean {
    return this.#open.length === 0;
  }

  /** Time at which the next key queue may be tried. */
  get dueAt(): number {
    return this.#dueAt;
  }

  /** Whether any key is throttled. */
  get hasThrottledKeys(): boolean {
    return this.#queues.size > 0;
  }

  /** Whether the number of throttled keys means that the whole table is throttled. */
  get throttlesAll(): boolean {
    return this.#families.size > maxThrottledKeys;
  }

  /** Whether this key is throttled while few others are. */
  isThrottled(pk: string): boolean {
    return !this.throttlesAll && this.#queues.has(pk);
  }

  /** Whether DynamoDB throttles this key for its own load, and not because the whole table is throttled. */
  isThrottledAlone(pk: string): boolean {
    return this.isThrottled(pk) && this.#queues.get(pk)?.isTableWide === false;
  }

  /** Whether an entry of this key that is added now cannot be part of the key's next attempt, or must wait for it. */
  mustWait(pk: string, now: number): boolean {
    const queue = this.#queues.get(pk);
    return queue !== undefined && (queue.dueAt > now || queue.entries.length >= queue.width);
  }

  add(entry: Waiting): void {
    const queue = this.#queues.get(entry.pk);
    (queue?.entries ?? this.#open).push(entry);
    if (queue !== undefined) this.#dueAt = Math.min(this.#dueAt, queue.dueAt);
  }

  /** The next batch of keys that DynamoDB accepts, empty if there is none. */
  takeOpen(): Waiting[] {
    const batch = new BatchBuilder<Waiting>(this.#maxItemsBytes);
    batch.fill(this.#open, maxBatchWriteItems);
    return batch.entries;
  }

  /**
   * The next batch of throttled keys whose backoff is over, empty if there is none. Never together with other keys: a
   * batch takes as long as its slowest item, and a batch that is throttled as a whole has a single reason.
   */
  takeThrottled(now: number): Waiting[] {
    const batch = new BatchBuilder<Waiting>(this.#maxItemsBytes);
    if (now >= this.#dueAt) this.#takeFromKeys(batch, now);
    return batch.entries;
  }

  #takeFromKeys(batch: BatchBuilder<Waiting>, now: number): void {
    this.#dueAt = Infinity;
    for (const [pk, queue] of this.#queues) {
      const room = Math.min(maxBatchWriteItems, batch.entries.length + queue.width);
      if (queue.dueAt <= now && batch.fill(queue.entries, room) > 0) {
        queue.dueAt = Infinity;
        // To the end of the map, so that the keys take turns.
        this.#queues.delete(pk);
        this.#queues.set(pk, queue);
      }
      const isEmpty = queue.entries.length === 0 && isWaiting(queue);
      const dueAt = isEmpty ? queue.dueAt + emptyQueueMs : queue.dueAt;
      if (isEmpty && dueAt <= now) this.#closeQueue(pk);
      else this.#dueAt = Math.min(this.#dueAt, dueAt);
    }
  }

  /** All entries of a batch with this key were stored or finally rejected. */
  taken(pk: string, now: number): void {
    const queue = this.#queues.get(pk);
    if (queue === undefined || isWaiting(queue)) return;
    if (queue.entries.length === 0) this.#closeQueue(pk);
    else this.#schedule(queue, now);
    queue.failures = 0;
    queue.width = Math.min(maxBatchWriteItems, queue.width * 2);
  }

  /** DynamoDB returned entries of this key: they return to the front of the key's queue. */
  throttled(pk: string, answer: ThrottledEntries<Waiting>, now: number): void {
    const { returned, taken, isTableWide = false } = answer;
    const queue = this.#queues.get(pk) ?? this.#openQueue(pk);
    queue.entries.unshift(...returned);
    // The batch was in flight together with the one that opened the queue: no new failure.
    if (isWaiting(queue)) return;
    queue.isTableWide = isTableWide;
    queue.failures = taken > 0 ? 1 : queue.failures + 1;
    queue.width = taken > 0 ? taken + 1 : Math.ceil(queue.width / 2);
    this.#schedule(queue, now + backoff(queue.failures, this.#random));
  }

  /** Replaces each waiting entry of a throttled key by the result of `replace`; undefined removes the entry. */
  revise(pk: string, replace: (entry: Waiting) => Waiting | undefined): void {
    const queue = this.#queues.get(pk);
    if (queue !== undefined) queue.entries = queue.entries.flatMap((entry) => replace(entry) ?? []);
  }

  /** DynamoDB did not process these entries: they go back to the front of their queues. */
  putBack(entries: readonly Waiting[], now: number): void {
    for (const entry of entries.toReversed()) {
      const queue = this.#queues.get(entry.pk);
      (queue?.entries ?? this.#open).unshift(entry);
      if (queue) this.#schedule(queue, now);
    }
  }

  /** Moves the waiting entries of this key out of the open queue. */
  #openQueue(pk: string): KeyQueue<Waiting> {
    const entries = this.#open.filter((entry) => entry.pk === pk);
    if (entries.length > 0) this.#open = this.#open.filter((entry) => entry.pk !== pk);
    const queue = { entries, failures: 0, width: 1, dueAt: Infinity, isTableWide: false };
    this.#queues.set(pk, queue);
    const family = familyOf(pk);
    this.#families.set(family, (this.#families.get(family) ?? 0) + 1);
    return queue;
  }

  #closeQueue(pk: string): void {
    this.#queues.delete(pk);
    const family = familyOf(pk);
    const others = invariant(this.#families.get(family), 'an open queue has its family') - 1;
    if (others === 0) this.#families.delete(family);
    else this.#families.set(family, others);
  }

  #schedule(queue: KeyQueue<Waiting>, dueAt: number): void {
    queue.dueAt = dueAt;
    this.#dueAt = Math.min(this.#dueAt, dueAt);
  }
}

/** `DEVICE#id` of `DEVICE#id#3`: the shards of one family are throttled together. */
export function familyOf(pk: string): string {
  return pk.replace(/(#[^#]+)#\d{1,2}$/, '$1');
}

/** Whether the queue waits for its next attempt; otherwise one is in flight. */
function isWaiting(queue: KeyQueue<unknown>): boolean {
  return queue.dueAt < Infinity;
}

class BatchBuilder<Waiting extends QueueEntry> {
  readonly entries: Waiting[] = [];
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Moves entries from the front of a queue until the batch has this many.
   * @returns the number of moved entries
   */
  fill(queue: Waiting[], items: number): number {
    let count = 0;
    for (const entry of queue) {
      const isOver = this.#bytes > 0 && this.#bytes + entry.bytes > this.#maxBytes;
      if (isOver || this.entries.length >= items) break;
      this.entries.push(entry);
      this.#bytes += entry.bytes;
      count += 1;
    }
    queue.splice(0, count);
    return count;
  }
}
