import {
  Refusal,
  checkDefinitions,
  createCaches,
  isObject,
  parseTable,
  unreadable,
} from '@engawa/dynamodb-simulator/rules';
import { batchGetItem } from './operations/batch-get.ts';
import { batchWriteItem } from './operations/batch-write.ts';
import { query } from './operations/query.ts';
import { getItem } from './operations/read.ts';
import { deleteItem, putItem, updateItem } from './operations/single-write.ts';
import {
  createTable,
  describeTable,
  describeTimeToLive,
  updateTable,
  updateTimeToLive,
} from './operations/tables.ts';
import { transactGetItems } from './operations/transact-get.ts';
import { transactWriteItems } from './operations/transact-write.ts';
import { TableData } from './table-data.ts';
import { TableUsage } from './table-usage.ts';
import { TransactionTokens } from './transaction-tokens.ts';
import type { Document, DynamoDbResponse, Item } from '@engawa/dynamodb-simulator/rules';
import type { Random } from '../kernel/random.ts';
import type { OperationHandler, ItemAccess, Prepared } from './operations/operation.ts';

export interface TableModelOptions {
  /** DynamoDB's clock (epoch milliseconds), which never decreases. */
  now: () => number;
  random: Random;
  /** Draws the milliseconds until an index shows a write; none by default. */
  indexLagMs?: () => number;
  /**
   * Draws the milliseconds between an item's time to live (`expiresAt`, epoch milliseconds) and its
   * deletion. By default items do not expire.
   */
  ttlDelayMs?: (expiresAt: number) => number;
}

const operations: Readonly<Record<string, OperationHandler>> = {
  ...{ GetItem: getItem, Query: query, BatchGetItem: batchGetItem },
  ...{ PutItem: putItem, UpdateItem: updateItem, DeleteItem: deleteItem },
  ...{ BatchWriteItem: batchWriteItem },
  ...{ TransactGetItems: transactGetItems, TransactWriteItems: transactWriteItems },
  ...{ CreateTable: createTable, DescribeTable: describeTable, UpdateTable: updateTable },
  ...{ DescribeTimeToLive: describeTimeToLive, UpdateTimeToLive: updateTimeToLive },
};

const nothingHeld: ReadonlySet<ItemAccess> = new Set();

/**
 * DynamoDB in memory, with the operations that the services use, and the documented limits. Requests
 * are applied atomically, one after the other. Stored items share objects with requests and
 * responses, which must not be changed.
 */
export class TableModel {
  readonly usage = new TableUsage();
  readonly #options: TableModelOptions;
  readonly #salt: number;
  readonly #tables = new Map<string, TableData>();
  readonly #expressions = createCaches();
  readonly #tokens = new TransactionTokens();

  constructor(options: TableModelOptions) {
    this.#options = options;
    this.#salt = options.random.integer(0, 0xffff_ffff);
  }

  /**
   * Applies a request. @returns the response, also of a rejected request
   * @param operation `PutItem`
   * @param input the request's JSON, with attribute values in DynamoDB's form
   */
  handle(operation: string, input: Document): DynamoDbResponse {
    return this.#answer(operation, () => this.prepare(operation, input));
  }

  /** Applies a prepared request. */
  complete(operation: string, prepared: Prepared, held = nothingHeld): DynamoDbResponse {
    return this.#answer(operation, () => prepared, held);
  }

  /** Validates a request, and determines the items that it accesses. @throws Refusal */
  prepare(operation: string, input: Document): Prepared {
    const apply = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
    if (apply === undefined) {
      throw new Refusal(
        'UnknownOperationException',
        `the simulated table does not support ${operation}`,
      );
    }
    if (!isObject(input)) throw unreadable('a request must be an object');
    const now = this.#options.now();
    for (const table of this.#tables.values()) table.expire(now);
    const context = {
      now,
      tables: this.#tables,
      expressions: this.#expressions,
      tokens: this.#tokens,
      createTable: (definition: Document) => this.#createTable(definition, now),
    };
    return apply(context, input);
  }

  /**
   * All items of all tables, each partition in the order of its sort keys. Includes expired items that
   * are not deleted.
   */
  *items(): Generator<Item, void> {
    const now = this.#options.now();
    for (const table of this.#tables.values()) {
      table.expire(now);
      yield* table.items();
    }
  }

  #answer(operation: string, prepare: () => Prepared, held = nothingHeld): DynamoDbResponse {
    try {
      const prepared = prepare();
      const charges = prepared.parts.flatMap((part) => (held.has(part) ? [] : part.charges));
      this.usage.consumed(operation, charges);
      const body = prepared.complete(held);
      this.usage.note(operation, charges);
      return { status: 200, body };
    } catch (error) {
      if (error instanceof Refusal) return error.answer;
      throw error;
    } finally {
      this.usage.request(operation);
    }
  }

  #createTable(definition: Document, createdAt: number): TableData {
    const { indexLagMs = () => 0, ttlDelayMs } = this.#options;
    const schema = parseTable(definition);
    checkDefinitions(schema, definition);
    return new TableData(
      schema,
      { definition, createdAt },
      { salt: this.#salt, indexLagMs, ttlDelayMs },
    );
  }
}
