import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshal } from './items/unmarshal.ts';
import { backoff } from './client/backoff.ts';
import { BatchWriter } from './write/batch-writer.ts';
import { maxBatchGetItems, maxBatchWriteItems } from './limits.ts';
import { deleteBatch } from './write/delete-batch.ts';
import { getBatch } from './read/get-batch.ts';
import { recognisingOwn } from './write/own-write.ts';
import { distinctKeys } from './items/item-id.ts';
import { queryCommand } from './read/query-command.ts';
import { projectionInput, queryInput } from './read/query-request.ts';
import { reading, writing } from './client/send.ts';
import { bytesCounted, unitsOfPage } from './read/units-read.ts';
import {
  deleteInput,
  keyAttributes,
  putInput,
  transactionInput,
  updateInput,
} from './write/write-request.ts';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { parseNumber } from '@engawa/model';
import type { Key } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { Logger } from 'pino';
import type { Availability } from './observe/availability.ts';
import type { Batch } from './read/get-batch.ts';
import type { ItemPage, PageKey, QueryRequest, ReadOptions } from './read/query-request.ts';
import type { Delete, Put, SingleWrite, Update, Write } from './write/write-request.ts';

interface TableOptions {
  tableName: string;
  /** Tries again by itself. */
  client: DynamoDBClient;
  /** Makes one attempt of each request. */
  singleAttemptClient: DynamoDBClient;
  availability: Availability;
  log: Logger;
}

/** An item that is never there: asking for it shows whether the table answers, for half a read unit. */
const probe: Key = { pk: 'PROBE', sk: 'PROBE' };

/**
 * The one table, as plain documents. Every method is one DynamoDB request, a write sent again while it conflicts with a
 * transaction (it did not take place then). They reject with a Problem (`table-throttled`, `table-unavailable`) when
 * DynamoDB does not do it, with ConditionFailed when `onlyIf` does not hold, with ItemRejected when it never will, and
 * with the signal's reason when that aborts.
 */
export class Table {
  readonly tableName: string;
  /** For writes and pages of items: these go in DynamoDB's form, numbers to the digit. */
  readonly #client: DynamoDBClient;
  /** For single items. */
  readonly #documents: DynamoDBDocumentClient;
  readonly #singleAttemptClient: DynamoDBClient;
  readonly #availability: Availability;
  readonly #log: Logger;
  #probing = false;

  constructor(options: TableOptions) {
    this.tableName = options.tableName;
    this.#client = options.client;
    this.#documents = DynamoDBDocumentClient.from(options.client, {
      unmarshallOptions: { wrapNumbers: parseNumber },
    });
    this.#singleAttemptClient = options.singleAttemptClient;
    this.#availability = options.availability;
    this.#log = options.log;
  }

  async get(key: Key, options: ReadOptions = {}): Promise<Document | undefined> {
    const { consistent: ConsistentRead, signal: abortSignal, fields } = options;
    const { pk, sk } = key;
    const command = new GetCommand({
      TableName: this.tableName,
      Key: { pk, sk },
      ConsistentRead,
      ...projectionInput(fields),
    });
    const { Item } = await reading(this.#documents.send(command, { abortSignal }), abortSignal);
    return Item as Document | undefined;
  }

  /** Those of the items that are there, in no order: a request for each 100 different keys, all at the same time. */
  async getAll(keys: readonly Key[], options: ReadOptions = {}): Promise<Batch> {
    const distinct = distinctKeys(keys);
    const asked = { documents: this.#documents, tableName: this.tableName, ...options };
    const parts = Array.from({ length: Math.ceil(distinct.length / maxBatchGetItems) }, (_, part) =>
      distinct.slice(part * maxBatchGetItems, (part + 1) * maxBatchGetItems),
    );
    const batches = await Promise.all(parts.map((part) => getBatch(asked, part)));
    return {
      items: batches.flatMap(({ items }) => items),
      units: batches.reduce((sum, { units }) => sum + units, 0),
    };
  }

  /** How many items there are, a page (1 MB of them) at a time; costs as much as reading them. */
  async count(question: QueryRequest): Promise<{ count: number; units: number; next?: PageKey }> {
    const abortSignal = question.signal;
    const input = { ...queryInput(this.tableName, question), Select: 'COUNT' as const };
    const asked = this.#client.send(new QueryCommand(input), { abortSignal });
    const { Count = 0, ConsumedCapacity, LastEvaluatedKey } = await reading(asked, abortSignal);
    const next = LastEvaluatedKey && (unmarshal(LastEvaluatedKey) as PageKey);
    const estimated = () => unitsOfPage(bytesCounted(Count), question.consistent);
    const counted = { count: Count, units: ConsumedCapacity?.CapacityUnits ?? estimated() };
    return next === undefined ? counted : { ...counted, next };
  }

  /** One page of one partition key. */
  async query(question: QueryRequest): Promise<ItemPage> {
    const abortSignal = question.signal;
    const { command, read } = queryCommand(queryInput(this.tableName, question));
    const output = await reading(this.#client.send(command, { abortSignal }), abortSignal);
    const estimated = () => unitsOfPage(read.bytes, question.consistent);
    const units = output.ConsumedCapacity?.CapacityUnits ?? estimated();
    const next = output.LastEvaluatedKey && (unmarshal(output.LastEvaluatedKey) as PageKey);
    const { items } = read;
    return next === undefined ? { items, units } : { items, units, next };
  }

  async put(
    item: Put['put'],
    { idempotent = false, ...more }: Omit<Put, 'put'> & SingleWrite = {},
  ): Promise<void> {
    if (idempotent) {
      return recognisingOwn(
        (mark) => this.put({ ...item, ...mark }, more),
        () => undefined,
      );
    }
    const input = putInput(this.tableName, { put: item, ...more });
    const command = new PutItemCommand(input);
    await writing(() => this.#client.send(command));
  }

  /** @returns the whole item as it is now; made if it was not there, unless `onlyIf` says otherwise */
  async update(
    key: Key,
    { idempotent = false, ...change }: Omit<Update, 'update'> & SingleWrite,
  ): Promise<Document> {
    if (idempotent) {
      return recognisingOwn(
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
   * Deletes many items, whether or not they are there: a request for each 25, one at a time, each sent again until all of
   * it is taken. A key may be named twice. What is gone when it rejects is gone; begin again.
   */
  async deleteAll(keys: readonly Key[], options: { signal?: AbortSignal } = {}): Promise<void> {
    const batch = { client: this.#client, tableName: this.tableName, ...options };
    // DynamoDB refuses a batch that names an item twice, each time that it is sent.
    const distinct = distinctKeys(keys);
    for (let start = 0; start < distinct.length; start += maxBatchWriteItems) {
      await deleteBatch(batch, distinct.slice(start, start + maxBatchWriteItems));
    }
  }

  /**
   * All of it or nothing; at most 100 writes, each of another item, at twice the units.
   * @throws Problem `not-supported-by-table` where the API has no transactions, too
   */
  async transact(writes: readonly Write[]): Promise<void> {
    const TransactItems = writes.map((write) => transactionInput(this.tableName, write));
    // Known by its token, however often it is sent: it takes place once, also where an answer is lost on the way.
    const ClientRequestToken = randomUUID();
    const command = new TransactWriteItemsCommand({ TransactItems, ClientRequestToken });
    await writing(() => this.#client.send(command));
  }

  /** The way to store many items: see BatchWriter. Close it before the table. */
  batchWriter(): BatchWriter {
    return new BatchWriter({
      client: this.#singleAttemptClient,
      tableName: this.tableName,
      log: this.#log,
    });
  }

  /**
   * Why the table cannot be used, as one sentence; `undefined` when it can. While it cannot, each call also sends a
   * request to see whether it can again: an unready service may get no others.
   */
  missing(): string | undefined {
    if (this.#availability.outage && !this.#probing) void this.#probe();
    return this.#availability.missing();
  }

  /** What the last request heard that failed, whatever came after it; undefined when none has failed. */
  lastFailure(): string | undefined {
    return this.#availability.lastFailure();
  }

  /** Resolves when the table answers, however long that takes; rejects only when the signal aborts. */
  async waitUntilReady(signal: AbortSignal): Promise<void> {
    for (let failures = 1; ; failures++) {
      await this.#probe();
      signal.throwIfAborted();
      const missing = this.#availability.missing();
      if (missing === undefined) {
        if (failures > 1) this.#log.info('table is ready');
        return;
      }
      if (failures === 1) this.#log.warn({ missing }, 'waiting for the table');
      await delay(backoff(failures), undefined, { signal });
    }
  }

  /** Ends all connections; requests under way are rejected. */
  close(): void {
    this.#client.destroy();
    this.#singleAttemptClient.destroy();
  }

  async #probe(): Promise<void> {
    this.#probing = true;
    const command = new GetItemCommand({ TableName: this.tableName, Key: keyAttributes(probe) });
    // What became of it, the availability has already been told.
    await this.#singleAttemptClient.send(command).catch(() => undefined);
    this.#probing = false;
  }
}
