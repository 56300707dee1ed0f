import {
  HeldItems,
  Refusal,
  exceptionAnswer,
  nameOfItem,
  throttledTransaction,
  throttlingAnswer,
} from '@engawa/dynamodb-simulator/rules';
import { TableFaults } from './table-faults.ts';
import type { Document, DynamoDbResponse, Throttle } from '@engawa/dynamodb-simulator/rules';
import type { Random } from '../kernel/random.ts';
import type { World } from '../kernel/world.ts';
import type { ItemAccess, Prepared } from './operations/operation.ts';
import type { FaultKind, MatchedFault } from './table-faults.ts';
import type { TableModel } from './table-model.ts';

/** The result for a client: a response, a reset connection, or no response. */
export type TableResponse =
  { kind: 'answer'; status: number; body: Document } | { kind: 'lost' } | { kind: 'stuck' };

/** Range in milliseconds, from which a delay is drawn per request. */
export interface DelayRange {
  from: number;
  to: number;
}

export interface TableEndpointOptions {
  world: World;
  model: TableModel;
  /** Delay before a request is applied, and again before its response; none by default. */
  latencyMs?: DelayRange;
  /** Duration of a TransactWriteItems, during which its items conflict; without it, no conflicts occur. */
  transactionMs?: DelayRange;
}

/** DynamoDB with network latency and injected faults. */
export class TableEndpoint {
  readonly faults: TableFaults;
  readonly model: TableModel;
  /** Number of requests affected by each kind of fault, and of conflicts with transactions in progress. */
  readonly met: Partial<Record<FaultKind | 'conflict', number>> = {};
  /** Number of requests without a response. */
  underWay = 0;
  readonly #world: World;
  readonly #random: Random;
  readonly #latencyMs: DelayRange;
  readonly #transactionMs: DelayRange | undefined;
  readonly #held = new HeldItems();

  constructor({ world, model, latencyMs, transactionMs }: TableEndpointOptions) {
    this.model = model;
    this.#world = world;
    this.#random = world.random.fork();
    this.faults = new TableFaults(world.random.fork());
    this.#latencyMs = latencyMs ?? { from: 0, to: 0 };
    this.#transactionMs = transactionMs;
  }

  /**
   * Never rejects: errors of requests and injected faults are results.
   * @param operation `PutItem`
   * @param input the request's JSON
   */
  async answer(operation: string, input: Document): Promise<TableResponse> {
    this.underWay += 1;
    try {
      return await this.#answer(operation, input);
    } finally {
      this.underWay -= 1;
    }
  }

  async #answer(operation: string, input: Document): Promise<TableResponse> {
    await this.#pass('table: request', this.#latencyMs);
    const prepared = this.#prepare(operation, input);
    const charges = 'status' in prepared ? [] : prepared.parts.flatMap((part) => part.charges);
    const meets = <Kind extends FaultKind>(kind: Kind) => this.#meet(kind, operation, charges);
    const slow = meets('slow');
    const stuck = meets('stuck');
    if (stuck?.fault.when === 'before') return { kind: 'stuck' };
    const error = meets('error');
    const isBefore = error?.fault.when === 'before';
    const answer = isBefore ? internalError : await this.#apply(operation, input, prepared);
    if (slow !== undefined) await this.#wait('table: slow', slow.fault.delayMs);
    if (stuck !== undefined) return { kind: 'stuck' };
    await this.#pass('table: response', this.#latencyMs);
    if (meets('lost') !== undefined) return { kind: 'lost' };
    return { kind: 'answer', ...(error === undefined ? answer : internalError) };
  }

  /** Applies a request; a transaction first holds its items. */
  async #apply(
    operation: string,
    input: Document,
    prepared: Prepared | DynamoDbResponse,
  ): Promise<DynamoDbResponse> {
    if ('status' in prepared) return prepared;
    const token = input['ClientRequestToken'] as string | undefined;
    const items = prepared.parts.map(({ table, key }) => nameOfItem(table.name, key));
    const conflict = this.#held.refusal(operation, items, token);
    if (conflict !== undefined) {
      this.met.conflict = (this.met.conflict ?? 0) + 1;
      return conflict;
    }
    if (operation !== 'TransactWriteItems' || this.#transactionMs === undefined) {
      return this.#limited(operation, prepared);
    }
    const letGo = this.#held.hold(items, token);
    await this.#pass('table: transaction', this.#transactionMs);
    letGo();
    // An item may have expired during the transaction.
    const again = this.#prepare(operation, input);
    return 'status' in again ? again : this.#limited(operation, again);
  }

  #prepare(operation: string, input: Document): Prepared | DynamoDbResponse {
    try {
      return this.model.prepare(operation, input);
    } catch (error) {
      if (error instanceof Refusal) return error.answer;
      throw error;
    }
  }

  /** Applies a request except its throttled and unprocessed parts. */
  #limited(operation: string, prepared: Prepared): DynamoDbResponse {
    const { parts } = prepared;
    const isBatch = operation.startsWith('Batch');
    const throttled = new Map<ItemAccess, Throttle>();
    const held = new Set<ItemAccess>();
    for (const part of parts) {
      const met = this.#meet('throttle', operation, part.charges);
      if (met !== undefined) throttled.set(part, throttleOf(met));
      const isLeft = isBatch && this.#meet('unprocessed', operation, part.charges) !== undefined;
      if (met !== undefined || isLeft) held.add(part);
    }
    const [first] = throttled.values();
    if (first === undefined) return this.model.complete(operation, prepared, held);
    if (operation.startsWith('Transact')) {
      return throttledTransaction(parts.map((part) => throttled.get(part)));
    }
    return isBatch && throttled.size < parts.length
      ? this.model.complete(operation, prepared, held)
      : throttlingAnswer(first);
  }

  #meet<Kind extends FaultKind>(kind: Kind, operation: string, charges: ItemAccess['charges']) {
    const met = this.faults.meet(kind, operation, charges);
    if (met !== undefined) this.met[kind] = (this.met[kind] ?? 0) + 1;
    return met;
  }

  #pass(label: string, { from, to }: DelayRange): Promise<void> {
    return this.#wait(label, from + this.#random.fraction() * (to - from));
  }

  #wait(label: string, delayMs: number): Promise<void> {
    if (delayMs <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#world.schedule(delayMs, label, resolve);
    });
  }
}

function throttleOf({ fault, charge }: MatchedFault<'throttle'>): Throttle {
  return { type: fault.type ?? 'KeyRangeThroughputExceeded', charge, exception: fault.exception };
}

const internalError = exceptionAnswer('InternalServerError', 'Internal server error');
