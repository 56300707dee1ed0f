import { cancellation, exceptionAnswer } from './exceptions.ts';
import type { DynamoDbResponse } from './exceptions.ts';
import type { ItemKey } from './item-key.ts';

/**
 * Operations that are rejected on items of a transaction in progress. Other operations see the items
 * before the transaction.
 */
const refused = new Set([
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'TransactWriteItems',
  'TransactGetItems',
]);
/** A transaction's ClientRequestToken. */
type Token = string | undefined;

export function canConflict(operation: string): boolean {
  return refused.has(operation);
}

const message = 'Transaction is ongoing for the item';

/**
 * The items and tokens of transactions in progress (developer guide, "DynamoDB transactions: how it
 * works": transaction conflict handling).
 */
export class HeldItems {
  readonly #items = new Set<string>();
  readonly #tokens = new Set<string>();

  /**
   * The error response of a request that conflicts with a transaction in progress; undefined without a conflict.
   * @param items names of the request's items (`nameOfItem`), in order
   */
  refusal(operation: string, items: readonly string[], token: Token): DynamoDbResponse | undefined {
    if (token !== undefined && this.#tokens.has(token)) {
      const text = 'The transaction with the given request token is already in progress';
      return exceptionAnswer('TransactionInProgressException', text);
    }
    if (this.#items.size === 0 || !refused.has(operation)) return undefined;
    const conflicts = items.map((item) => this.#items.has(item));
    if (!conflicts.includes(true)) return undefined;
    if (!operation.startsWith('Transact')) {
      return exceptionAnswer('TransactionConflictException', message);
    }
    const conflict = { Code: 'TransactionConflict', Message: message };
    return cancellation(conflicts.map((isOne) => (isOne ? conflict : { Code: 'None' }))).answer;
  }

  /** Marks items as part of a transaction. @returns a function that releases them */
  hold(items: readonly string[], token: Token): () => void {
    for (const item of items) this.#items.add(item);
    if (token !== undefined) this.#tokens.add(token);
    return () => {
      for (const item of items) this.#items.delete(item);
      if (token !== undefined) this.#tokens.delete(token);
    };
  }
}

export function nameOfItem(table: string, key: ItemKey | undefined): string {
  return JSON.stringify([table, key?.partition, key?.sort]);
}
