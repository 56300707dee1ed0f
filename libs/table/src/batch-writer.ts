import { backoff } from './backoff.ts';
import { batchWriteCommand, unprocessedIds } from './batch-write-command.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { faultOf, translate } from './fault.ts';
import { batchItems, Lanes } from './lanes.ts';
import { pendingPut, PendingPuts } from './pending-puts.ts';
import { WriterClosed } from './refusals.ts';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Logger } from 'pino';
import type { BatchOutcome } from './concurrency-limit.ts';
import type { PendingPut } from './pending-puts.ts';
import type { Item } from './write.ts';

interface BatchWriterOptions {
  /** Must not try again by itself, since the writer decides what is tried again and when. */
  client: DynamoDBClient;
  tableName: string;
  log: Logger;
  /** From 0 up to 1, for waits. */
  random?: () => number;
}

/** Failures in a row before it is worth a line in the log; a single one is everyday life. */
const failuresUntilLogged = 3;

/**
 * Stores items, many at a time, and does not give up. A batch goes out as soon as there is room in flight; while there
 * is none, items gather. What DynamoDB did not take is sent again:
 * - some items of a batch (UnprocessedItems), or all (throttled): each partition key backs off in its own lane;
 * - the request as a whole (no connection, no credentials, no table, 5xx, no answer): everything is held, with backoff,
 *   until a request succeeds. Puts may be sent twice, since the second changes nothing;
 * - a batch with an invalid item: it is halved until the item stands alone, and only that is refused.
 */
export class BatchWriter {
  readonly #options: BatchWriterOptions;
  readonly #pending = new PendingPuts();
  readonly #lanes: Lanes<PendingPut>;
  readonly #limit = new ConcurrencyLimit();
  readonly #closing = new AbortController();
  /** Parts of batches with an invalid item: they go out as they are. */
  readonly #parts: PendingPut[][] = [];
  #drained: PromiseWithResolvers<void> | undefined;
  #next: NodeJS.Immediate | undefined;
  #wakeUp: NodeJS.Timeout | undefined;
  /** Requests in a row that failed as a whole, when the last of them did, and until when nothing is sent. */
  #failures = 0;
  #failedAt = 0;
  #heldUntil = 0;

  constructor(options: BatchWriterOptions) {
    this.#options = options;
    this.#lanes = new Lanes(options.random);
  }

  /** How many items are not durable yet; equal ones count once. */
  get pending(): number {
    return this.#pending.size;
  }

  /**
   * Resolves when the item is durable. An item whose key is already on its way is stored after it, or joins it if they
   * are equal. Rejects with ItemRefused, or with WriterClosed when it is closed first; for nothing else.
   */
  async put(item: Item): Promise<void> {
    if (this.#closing.signal.aborted) throw new WriterClosed();
    const { put, isNext } = this.#pending.add(pendingPut(item));
    if (isNext) this.#enqueue(put);
    return put.stored.promise;
  }

  /** Whether DynamoDB throttles any partition key. */
  get hasHot(): boolean {
    return this.#lanes.hasHot;
  }

  /** Whether it is the table that DynamoDB throttles, rather than some keys. */
  get throttlesAll(): boolean {
    return this.#lanes.throttlesAll;
  }

  /** Whether DynamoDB throttles this partition key while it takes what others bring. */
  isHot(pk: string): boolean {
    return this.#failures === 0 && this.#lanes.isHot(pk);
  }

  /** Resolves when nothing is pending; rejects with WriterClosed when it is closed first. */
  drain(): Promise<void> {
    if (this.pending === 0) return Promise.resolve();
    this.#drained ??= Promise.withResolvers();
    return this.#drained.promise;
  }

  /** Sends nothing more and rejects all that is pending. Drain first to lose nothing. */
  close(): void {
    this.#closing.abort();
    clearImmediate(this.#next);
    clearTimeout(this.#wakeUp);
    for (const put of this.#pending.clear()) put.stored.reject(new WriterClosed());
    this.#drained?.reject(new WriterClosed());
  }

  #enqueue(put: PendingPut): void {
    this.#lanes.add(put);
    this.#schedulePump();
  }

  /** Once a turn of the event loop, so that what is put in one turn shares batches. */
  #schedulePump(): void {
    if (this.#closing.signal.aborted) return;
    this.#next ??= setImmediate(() => {
      this.#next = undefined;
      this.#pump();
    });
  }

  #pump(): void {
    const now = performance.now();
    while (this.#limit.hasRoom && now >= this.#heldUntil) {
      const batch = this.#parts.shift() ?? this.#lanes.take(now);
      if (batch.length === 0) break;
      void this.#write(batch);
    }
    clearTimeout(this.#wakeUp);
    const wakeAt = now < this.#heldUntil ? this.#heldUntil : this.#lanes.dueAt;
    // Without room, the next batch that ends wakes us.
    if (this.#limit.hasRoom && wakeAt < Infinity) {
      this.#wakeUp = setTimeout(() => this.#pump(), Math.max(0, Math.ceil(wakeAt - now)));
    }
  }

  async #write(batch: readonly PendingPut[]): Promise<void> {
    const epoch = this.#limit.start();
    const outcome = await this.#attempt(batch);
    this.#limit.finish(epoch, outcome);
    this.#schedulePump();
  }

  async #attempt(batch: readonly PendingPut[]): Promise<BatchOutcome> {
    const { client, tableName } = this.#options;
    const { signal } = this.#closing;
    const sentAt = performance.now();
    try {
      const command = batchWriteCommand(tableName, batch);
      const output = await client.send(command, { abortSignal: signal });
      return signal.aborted ? 'neutral' : this.#answered(batch, unprocessedIds(output));
    } catch (error) {
      return signal.aborted ? 'neutral' : this.#failed(batch, error, sentAt);
    }
  }

  #failed(batch: readonly PendingPut[], error: unknown, sentAt: number): BatchOutcome {
    switch (faultOf(error)) {
      case 'throttled':
        return this.#answered(batch, new Set(batch.map(({ id }) => id)));
      case 'invalid':
      case 'too_large':
        this.#refuseOrHalve(batch, error);
        return 'neutral';
      default:
        this.#hold(batch, error, sentAt);
        return 'overloaded';
    }
  }

  #answered(batch: readonly PendingPut[], unprocessed: ReadonlySet<string>): BatchOutcome {
    this.#release();
    const now = performance.now();
    const keys = Map.groupBy(batch, ({ pk }) => pk);
    const counted = { keys: 0, throttled: 0 };
    for (const [pk, puts] of keys) {
      const returned = puts.filter(({ id }) => unprocessed.has(id));
      // One hot key is its lane's business, and no reason for the others to slow down.
      if (this.#lanes.throttlesAll || !this.#lanes.isHot(pk)) {
        counted.keys += 1;
        if (returned.length > 0) counted.throttled += 1;
      }
      if (returned.length === 0) this.#lanes.taken(pk, now);
      else this.#lanes.throttled(pk, returned, puts.length - returned.length, now);
    }
    for (const put of batch) if (!unprocessed.has(put.id)) this.#settle(put).resolve();
    if (counted.throttled > 1 && counted.throttled > counted.keys / 2) return 'overloaded';
    if (this.#lanes.hasFullBatch) return 'pressed';
    return batch.length < batchItems / 2 ? 'idle' : 'neutral';
  }

  #refuseOrHalve(batch: readonly PendingPut[], error: unknown): void {
    const [put, ...others] = batch;
    if (put === undefined) return;
    if (others.length > 0) {
      const middle = batch.length >> 1;
      this.#parts.push(batch.slice(0, middle), batch.slice(middle));
      return;
    }
    this.#lanes.taken(put.pk, performance.now());
    this.#settle(put).reject(translate(error, true));
  }

  /** Takes the put off the list and lets the one behind it go. @returns its promise, to be settled */
  #settle(put: PendingPut): PendingPut['stored'] {
    const next = this.#pending.settle(put);
    if (next !== undefined) this.#enqueue(next);
    if (this.pending === 0) {
      this.#drained?.resolve();
      this.#drained = undefined;
    }
    return put.stored;
  }

  #hold(batch: readonly PendingPut[], error: unknown, sentAt: number): void {
    const now = performance.now();
    this.#lanes.putBack(batch, now);
    // Of those that were in flight together, one tells all.
    if (sentAt < this.#failedAt) return;
    this.#failures += 1;
    this.#failedAt = now;
    this.#heldUntil = now + backoff(this.#failures, this.#options.random);
    if (this.#failures === failuresUntilLogged) {
      const why = { pending: this.pending, fault: faultOf(error), err: error };
      this.#options.log.warn(why, 'the table takes no writes: holding them');
    }
  }

  #release(): void {
    if (this.#failures >= failuresUntilLogged) {
      this.#options.log.info('the table takes writes again');
    }
    this.#failures = 0;
    this.#heldUntil = 0;
  }
}
