import { sharesUnits } from '@engawa/service';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { translate } from '../client/translate-error.ts';
import { errorKindOf } from '../errors/dynamo-error.ts';
import { maxBatchWriteItems } from '../limits.ts';
import { BatchFailures } from './batch-failures.ts';
import { FillWait } from './fill-wait.ts';
import { KeyQueues } from './key-queues.ts';
import { pendingPut } from './pending-put.ts';
import { PendingPuts } from './pending-puts.ts';
import { KeyThrottled, WriterClosed } from '../errors/write-errors.ts';
import { PumpSchedule } from './pump-schedule.ts';
import { RequestHold } from './request-hold.ts';
import { SuspectPuts } from './suspect-puts.ts';
import { markTaken, queueUnprocessed } from './unprocessed-puts.ts';
import { isTableWide } from '../errors/throttling.ts';
import type { Logger } from 'pino';
import type { BatchWriteClient } from './batch-write-client.ts';
import type { BatchKind, BatchOutcome } from './concurrency-limit.ts';
import type { PendingPut, PutCaller, PutOptions } from './pending-put.ts';
import type { TableItem } from './write-request.ts';

interface BatchWriterOptions {
  /** Makes one attempt of each request: the writer has its own retries. */
  client: Pick<BatchWriteClient, 'send' | 'maxRequestBytes'>;
  log: Logger;
  /** Random numbers from 0 up to 1, for the backoff. */
  random?: () => number;
}

/**
 * Stores items in batches, with unlimited retries. A batch is sent as soon as the concurrency limit allows; until then
 * items are buffered. Retries:
 * - items that are throttled (UnprocessedItems, or the whole batch): each partition key has its own queue and backoff;
 * - a request that fails as a whole (no connection, no credentials, no table, 5xx, timeout): all requests are held,
 *   with backoff, until one succeeds. Puts are idempotent, so sending them twice does no harm;
 * - a batch whose failure may be caused by an item is halved until the item is alone: with an error that is known to
 *   be final the item is rejected, with any other it waits and is sent alone, while others are written.
 */
export class BatchWriter {
  readonly #options: BatchWriterOptions;
  readonly #pending = new PendingPuts();
  readonly #queues: KeyQueues<PendingPut>;
  readonly #limit = new ConcurrencyLimit();
  readonly #fillWait = new FillWait();
  readonly #hold: RequestHold;
  readonly #closing = new AbortController();
  readonly #suspects: SuspectPuts;
  readonly #failures: BatchFailures;
  readonly #schedule = new PumpSchedule((now) => this.#pump(now));

  constructor(options: BatchWriterOptions) {
    this.#options = options;
    this.#queues = new KeyQueues(options.random, options.client.maxRequestBytes);
    this.#suspects = new SuspectPuts(options.random);
    this.#hold = new RequestHold(options);
    this.#failures = new BatchFailures(this.#queues, this.#suspects, this.#hold);
  }

  /** Items that are not durable yet; equal items count once. */
  get pending(): number {
    return this.#pending.size;
  }

  /**
   * Resolves when the item, or a later one with the same key, is durable: a put overwrites the whole item, so of
   * several waiting puts of a key only the last is sent. Rejects only with ItemRejected, with WriterClosed, or with
   * `whenThrottled: 'reject'` with KeyThrottled; then the writer does not send the item again, but an earlier attempt
   * may have stored it.
   */
  put(item: TableItem, { whenThrottled = 'wait', origins }: PutOptions = {}): Promise<void> {
    return new Promise((resolve, reject) => {
      this.putFor({ whenThrottled, origins, resolve, reject }, item);
    });
  }

  /** `put` for a caller that waits without a promise: thousands of blocks may be pending. Does not throw. */
  putFor(caller: PutCaller, item: TableItem): void {
    sharesUnits();
    try {
      if (this.#closing.signal.aborted) throw new WriterClosed();
      const { pk } = item;
      const isRejected = caller.whenThrottled === 'reject' && typeof pk === 'string';
      if (isRejected && this.#mustWait(pk)) throw new KeyThrottled(pk);
      this.#enqueue(this.#pending.add(pendingPut(item), caller));
    } catch (error) {
      caller.reject(error);
    }
  }

  /** Whether DynamoDB throttles any partition key. */
  get hasThrottledKeys(): boolean {
    return this.#queues.hasThrottledKeys;
  }

  /** Whether DynamoDB throttles the whole table, rather than some keys. */
  get throttlesAll(): boolean {
    return this.#queues.throttlesAll;
  }

  /** Whether DynamoDB throttles this partition key, but not the whole table. */
  isThrottled(pk: string): boolean {
    return !this.#hold.isFailing && this.#queues.isThrottled(pk);
  }

  /** Resolves when nothing is pending; rejects with WriterClosed when the writer is closed first. */
  drain(): Promise<void> {
    return this.#pending.whenEmpty();
  }

  /** Stops sending and rejects all pending puts. Call `drain` first to lose none. */
  close(): void {
    this.#closing.abort();
    this.#schedule.stop();
    this.#pending.rejectAll(new WriterClosed());
  }

  /** Whether an item of this key must wait because DynamoDB throttles the key, and not the whole table. */
  #mustWait(pk: string): boolean {
    if (this.#hold.isFailing || !this.#queues.isThrottledAlone(pk)) return false;
    return this.#queues.mustWait(pk, performance.now());
  }

  /** @param put the next put to send for its key, if any */
  #enqueue(put: PendingPut | undefined): void {
    const next = put && this.#mustWait(put.pk) ? this.#pending.throttled(put) : put;
    if (next === undefined) return;
    if (this.#suspects.holds(next.pk)) this.#suspects.add(next);
    else this.#queues.add(next);
    this.#schedule.soon();
  }

  /** @returns the time of the next run; at the concurrency limit the end of a batch schedules it */
  #pump(now: number): number {
    this.#send('open', now, () => this.#takeOpen(now));
    this.#send('throttled', now, () => this.#queues.takeThrottled(now));
    if (now < this.#hold.until) return this.#hold.until;
    const open = Math.min(this.#fillWait.until, this.#suspects.dueAt);
    return Math.min(
      this.#limit.hasRoom('open') ? open : Infinity,
      this.#limit.hasRoom('throttled') ? this.#queues.dueAt : Infinity,
    );
  }

  #send(kind: BatchKind, now: number, take: () => PendingPut[]): void {
    while (this.#limit.hasRoom(kind) && now >= this.#hold.until) {
      const batch = take();
      if (batch.length === 0) return;
      void this.#write(kind, batch);
    }
  }

  #takeOpen(now: number): PendingPut[] {
    const suspects = this.#suspects.takeHalf() ?? this.#takeIsolated(now);
    if (suspects !== undefined) return suspects;
    const isFillWaitOver = this.#fillWait.isOver(this.#queues, this.#limit.inFlight('open'), now);
    return isFillWaitOver ? this.#queues.takeOpen() : [];
  }

  /** An item that failed alone, or the item that supersedes it. */
  #takeIsolated(now: number): PendingPut[] | undefined {
    const put = this.#suspects.takeIsolated(now);
    if (put === undefined) return undefined;
    const next = this.#pending.renewed(put);
    if (next !== put) this.#suspects.released(put);
    return next && [next];
  }

  async #write(kind: BatchKind, batch: readonly PendingPut[]): Promise<void> {
    const epoch = this.#limit.start(kind);
    this.#limit.finish(kind, epoch, await this.#attempt(batch));
    this.#schedule.soon();
  }

  async #attempt(batch: readonly PendingPut[]): Promise<BatchOutcome> {
    const { signal } = this.#closing;
    const sentAt = performance.now();
    try {
      const unprocessed = await this.#options.client.send(batch, signal);
      return signal.aborted ? 'neutral' : this.#processed(batch, unprocessed);
    } catch (error) {
      return signal.aborted ? 'neutral' : this.#failed(batch, error, sentAt);
    }
  }

  #failed(batch: readonly PendingPut[], error: unknown, sentAt: number): BatchOutcome {
    if (errorKindOf(error) === 'throttled')
      return this.#processed(batch, new Set(batch.map(({ id }) => id)), isTableWide(error));
    const outcome = this.#failures.failed(batch, error, { sentAt, pending: this.pending });
    if (outcome !== 'rejected') return outcome;
    for (const put of batch) this.#reject(put, error); // a single one
    return 'neutral';
  }

  #processed(
    batch: readonly PendingPut[],
    unprocessed: ReadonlySet<string>,
    isTableWide = false,
  ): BatchOutcome {
    this.#hold.succeeded();
    if (unprocessed.size > 0) return this.#throttled(batch, { unprocessed, isTableWide });
    if (this.#queues.hasThrottledKeys) markTaken(this.#queues, batch);
    this.#stored(batch);
    return this.#outcomeOf(batch);
  }

  /** DynamoDB returned a part of the batch. */
  #throttled(
    batch: readonly PendingPut[],
    returned: { unprocessed: ReadonlySet<string>; isTableWide: boolean },
  ): BatchOutcome {
    const now = performance.now();
    const { stored, keys, isOverloaded } = queueUnprocessed(this.#queues, batch, returned, now);
    // The table is known to be throttled as a whole only after all keys are counted.
    for (const put of batch) this.#suspects.released(put);
    for (const pk of keys) this.#revise(pk);
    markTaken(this.#queues, stored, keys);
    this.#stored(stored);
    return isOverloaded ? 'overloaded' : this.#outcomeOf(batch);
  }

  #stored(stored: readonly PendingPut[]): void {
    for (const put of stored) {
      // Items that waited only because others of their key failed.
      for (const released of this.#suspects.stored(put)) this.#queues.add(released);
      this.#enqueue(this.#pending.stored(put));
    }
  }

  #outcomeOf(batch: readonly PendingPut[]): BatchOutcome {
    if (this.#queues.hasFullBatch) return 'pressed';
    return batch.length < maxBatchWriteItems / 2 ? 'idle' : 'neutral';
  }

  /** Keeps only the newest put of each waiting item of a throttled key; rejects `whenThrottled: 'reject'`. */
  #revise(pk: string): void {
    const rejects = this.#queues.isThrottledAlone(pk);
    this.#queues.revise(pk, (put) =>
      rejects ? this.#pending.throttled(put) : this.#pending.renewed(put),
    );
  }

  #reject(put: PendingPut, error: unknown): void {
    this.#suspects.released(put);
    this.#queues.taken(put.pk, performance.now());
    this.#enqueue(this.#pending.rejected(put, translate(error, true)));
  }
}
