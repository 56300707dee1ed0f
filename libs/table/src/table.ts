import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { backoff } from './client/backoff.ts';
import { reading, writing } from './client/send.ts';
import { distinctKeys, keyAttributes } from './items/item-id.ts';
import { unmarshal } from './items/unmarshal.ts';
import { maxBatchGetItems, maxBatchWriteItems } from './limits.ts';
import { getBatch } from './read/get-batch.ts';
import { queryInput } from './read/query-request.ts';
import { RawReader } from './read/raw-reader.ts';
import { assumedBytes, unitsOfPage } from './read/read-units.ts';
import { BatchWriter } from './write/batch-writer.ts';
import { deleteBatch } from './write/delete-batch.ts';
import { writeIdempotently } from './write/write-idempotently.ts';
import { deleteInput, putInput, transactionInput, updateInput } from './write/write-request.ts';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Key } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { Logger } from 'pino';
import type { DirectClient } from './client/direct-client.ts';
import type { Availability } from './observe/availability.ts';
import type { FoundItems } from './read/get-batch.ts';
import type { ItemClient } from './read/item-client.ts';
import type { QueryClient } from './read/query-client.ts';
import type { ItemPage, PageKey, QueryRequest, ReadOptions } from './read/query-request.ts';
import type { BatchWriteClient } from './write/batch-write-client.ts';
import type { Delete, Put, SingleWrite, Update, Write } from './write/write-request.ts';

interface TableOptions {
  tableName: string;
  /** The client with retries. */
  client: DynamoDBClient;
  /** The client that makes one attempt of each request. */
  singleAttemptClient: DynamoDBClient;
  direct: readonly DirectClient[];
  queries: QueryClient;
  items: ItemClient;
  batches: BatchWriteClient;
  availability: Availability;
  log: Logger;
}

/** A key without an item: reading it shows whether the table responds, for half a read unit. */
const probe: Key = { pk: 'PROBE', sk: 'PROBE' };

/**
 * The one table, as plain documents. Every method is one DynamoDB request unless documented otherwise; a write is
 * retried while it conflicts with a transaction, since such a write did not take place. Methods reject with a Problem
 * (`table-throttled`, `table-unavailable`, `too-many-conflicts`) when DynamoDB does not process the request, with
 * ConditionFailed when `onlyIf` is false, with ItemRejected when DynamoDB will never accept the item, and with the
 * signal's reason when the signal aborts.
 */
export class Table {
  readonly tableName: string;
  /** Reads items as DynamoDB returns them. */
  readonly raw: RawReader;
  readonly #client: DynamoDBClient;
  readonly #singleAttemptClient: DynamoDBClient;
  readonly #direct: readonly DirectClient[];
  readonly #queries: QueryClient;
  readonly #items: ItemClient;
  readonly #batches: BatchWriteClient;
  readonly #availability: Availability;
  readonly #log: Logger;
  #probing = false;

  constructor(options: TableOptions) {
    this.tableName = options.tableName;
    this.raw = new RawReader(options);
    this.#client = options.client;
    this.#singleAttemptClient = options.singleAttemptClient;
    this.#direct = options.direct;
    this.#queries = options.queries;
    this.#items = options.items;
    this.#batches = options.batches;
    this.#availability = options.availability;
    this.#log = options.log;
  }

  get(key: Key, options: ReadOptions = {}): Promise<Document | undefined> {
    return this.#items.get(key, options);
  }

  /** The items that exist, in no order: one request for each 100 different keys, all at the same time. */
  async getAll(keys: readonly Key[], options: ReadOptions = {}): Promise<FoundItems> {
    const distinct = distinctKeys(keys);
    const batchOptions = { client: this.#items, tableName: this.tableName, ...options };
    const count = Math.ceil(distinct.length / maxBatchGetItems);
    const batches = await Promise.all(
      Array.from({ length: count }, (_, batch) => {
        const start = batch * maxBatchGetItems;
        return getBatch(batchOptions, distinct.slice(start, start + maxBatchGetItems));
      }),
    );
    return {
      items: batches.flatMap(({ items }) => items),
      units: batches.reduce((sum, { units }) => sum + units, 0),
    };
  }

  /** Counts the items of one page (1 MB of them); costs as much as reading them. */
  async count(request: QueryRequest): Promise<{ count: number; units: number; next?: PageKey }> {
    const abortSignal = request.signal;
    const input = { ...queryInput(this.tableName, request), Select: 'COUNT' as const };
    const output = await reading(this.#queries.count(input, abortSignal), abortSignal);
    const { Count = 0, ConsumedCapacity, LastEvaluatedKey } = output;
    const next = LastEvaluatedKey && (unmarshal(LastEvaluatedKey) as PageKey);
    const estimated = () => unitsOfPage(assumedBytes(Count), request.consistent);
    const counted = { count: Count, units: ConsumedCapacity?.CapacityUnits ?? estimated() };
    return next === undefined ? counted : { ...counted, next };
  }

  /** One page of one partition key; `queryPages` walks through all of them. */
  async query(request: QueryRequest): Promise<ItemPage> {
    const abortSignal = request.signal;
    const input = queryInput(this.tableName, request);
    const output = await reading(this.#queries.send(input, abortSignal), abortSignal);
    const { read } = output;
    const estimated = () => unitsOfPage(read.bytes, request.consistent);
    const units = output.ConsumedCapacity?.CapacityUnits ?? estimated();
    const next = output.LastEvaluatedKey && (unmarshal(output.LastEvaluatedKey) as PageKey);
    const { items } = read;
    return next === undefined ? { items, units } : { items, units, next };
  }

  async put(
    item: Put['put'],
    { idempotent = false, ...options }: Omit<Put, 'put'> & SingleWrite = {},
  ): Promise<void> {
    if (idempotent) {
      return writeIdempotently(
        (mark) => this.put({ ...item, ...mark }, options),
        () => undefined,
      );
    }
    const input = putInput(this.tableName, { put: item, ...options });
    const command = new PutItemCommand(input);
    await writing(() => this.#client.send(command));
  }

  /**
   * @returns the whole item after the update, which creates the item where it is absent, unless
   * `onlyIf` requires it
   */
  async update(
    key: Key,
    { idempotent = false, ...change }: Omit<Update, 'update'> & SingleWrite,
  ): Promise<Document> {
    if (idempotent) {
      return writeIdempotently(
        (mark) => this.update(key, { ...change, set: { ...change.set, ...mark } }),
        (item) => item,
      );
    }
    const input = updateInput(this.tableName, { update: key, ...change });
    const command = new UpdateItemCommand({ ...input, ReturnValues: 'ALL_NEW' });
    const { Attributes = {} } = await writing(() => this.#client.send(command));
    return unmarshal(Attributes);
  }

  async delete(key: Key, { onlyIf }: Omit<Delete, 'delete'> = {}): Promise<void> {
    const input = deleteInput(this.tableName, { delete: key, onlyIf });
    const command = new DeleteItemCommand(input);
    await writing(() => this.#client.send(command));
  }

  /**
   * Deletes many items, whether or not they exist: one request for each 25, one after the other,
   * each sent again until DynamoDB has processed all of it. A key may occur twice. After a
   * rejection some items are deleted and some are not; calling it again with all keys is safe.
   */
  async deleteAll(keys: readonly Key[], options: { signal?: AbortSignal } = {}): Promise<void> {
    const batch = { client: this.#client, tableName: this.tableName, ...options };
    // DynamoDB rejects a batch that names an item twice, each time that it is sent.
    const distinct = distinctKeys(keys);
    for (let start = 0; start < distinct.length; start += maxBatchWriteItems) {
      await deleteBatch(batch, distinct.slice(start, start + maxBatchWriteItems));
    }
  }

  /**
   * All writes or none; at most 100, each of a different item, at twice the units.
   * @throws Problem `not-supported-by-table` also where the API has no transactions
   */
  async transact(writes: readonly Write[]): Promise<void> {
    const TransactItems = writes.map((write) => transactionInput(this.tableName, write));
    // The token makes retries idempotent: the transaction takes place once, even if a response is lost.
    const ClientRequestToken = randomUUID();
    const command = new TransactWriteItemsCommand({ TransactItems, ClientRequestToken });
    await writing(() => this.#client.send(command));
  }

  /** Stores many items: see BatchWriter. Close it before the table. */
  batchWriter(): BatchWriter {
    return new BatchWriter({ client: this.#batches, log: this.#log });
  }

  /**
   * The reason why the table is unavailable, as one sentence; `undefined` when it is available. During an outage each
   * call also sends a probe: a service that is not ready may get no requests that would detect the table's return.
   */
  unavailableReason(): string | undefined {
    if (this.#availability.outage && !this.#probing) void this.#probe();
    return this.#availability.unavailableReason();
  }

  /** The error of the last request that failed, also after later successes; undefined when none has failed. */
  lastFailure(): string | undefined {
    return this.#availability.lastFailure();
  }

  /** Resolves when the table responds; rejects only when the signal aborts. */
  async waitUntilReady(signal: AbortSignal): Promise<void> {
    for (let failures = 1; ; failures++) {
      await this.#probe();
      signal.throwIfAborted();
      const reason = this.#availability.unavailableReason();
      if (reason === undefined) {
        if (failures > 1) this.#log.info('table is ready');
        return;
      }
      if (failures === 1) this.#log.warn({ missing: reason }, 'waiting for the table');
      await delay(backoff(failures), undefined, { signal });
    }
  }

  /** Ends all connections; requests in flight are rejected. */
  close(): void {
    for (const each of this.#direct) each.destroy();
    this.#client.destroy();
    this.#singleAttemptClient.destroy();
  }

  async #probe(): Promise<void> {
    this.#probing = true;
    const command = new GetItemCommand({ TableName: this.tableName, Key: keyAttributes(probe) });
    // observeRequests and observeAttempts have already reported the outcome to the availability.
    await this.#singleAttemptClient.send(command).catch(() => undefined);
    this.#probing = false;
  }
}
