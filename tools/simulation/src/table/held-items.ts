import { cancellation, exceptionAnswer, Refusal } from './refusal.ts';
import type { ItemAccess } from './operations/operation.ts';
import type { DynamoDbResponse } from './refusal.ts';

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

const message = 'Transaction is ongoing for the item';

/**
 * The items and tokens of transactions in progress (developer guide, "DynamoDB transactions: how it
 * works": transaction conflict handling).
 */
export class HeldItems {
  readonly #items = new Set<string>();
  readonly #tokens = new Set<string>();

  /** The error response of a request that conflicts with a transaction in progress; undefined without a conflict. */
  refusal(
    operation: string,
    parts: readonly ItemAccess[],
    token: Token,
  ): DynamoDbResponse | undefined {
    if (token !== undefined && this.#tokens.has(token)) {
      const text = 'The transaction with the given request token is already in progress';
      return exceptionAnswer('TransactionInProgressException', text);
    }
    if (this.#items.size === 0 || !refused.has(operation)) return undefined;
    const conflicts = parts.map((part) => this.#items.has(nameOf(part)));
    if (!conflicts.includes(true)) return undefined;
    if (!operation.startsWith('Transact')) {
      return new Refusal('TransactionConflictException', message).answer;
    }
    const conflict = { Code: 'TransactionConflict', Message: message };
    return cancellation(conflicts.map((isOne) => (isOne ? conflict : { Code: 'None' }))).answer;
  }

  /** Marks items as part of a transaction. @returns a function that releases them */
  hold(parts: readonly ItemAccess[], token: Token): () => void {
    const names = parts.map(nameOf);
    for (const name of names) this.#items.add(name);
    if (token !== undefined) this.#tokens.add(token);
    return () => {
      for (const name of names) this.#items.delete(name);
      if (token !== undefined) this.#tokens.delete(token);
    };
  }
}

function nameOf({ table, key }: ItemAccess): string {
  return JSON.stringify([table.name, key?.partition, key?.sort]);
}
