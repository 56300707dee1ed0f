import { Refusal } from '../refusal.ts';
import type { Charge } from '../charge.ts';
import type { ExpressionCaches } from '../expression/expression-cache.ts';
import type { ItemKey } from '../item-key.ts';
import type { Document } from '../refusal.ts';
import type { TableData } from '../table-data.ts';
import type { TransactionTokens } from '../transaction-tokens.ts';

/** What operations work on. */
export interface OperationContext {
  tables: Map<string, TableData>;
  expressions: ExpressionCaches;
  tokens: TransactionTokens;
  createTable: (definition: Document) => TableData;
  /** Milliseconds of the model's clock. */
  now: number;
}

/** One item that a request reads or writes, or the one partition that a Query reads. */
export interface ItemAccess {
  table: TableData;
  /** Of an item. */
  key: ItemKey | undefined;
  charges: readonly Charge[];
}

/** A request that is valid, as far as that does not depend on items, and has not taken place yet. */
export interface Prepared {
  parts: readonly ItemAccess[];
  /**
   * Lets it take place. Nothing may have been written since it was prepared.
   * @param held parts of a batch that are answered as not processed; all other requests have none
   * @returns the body of the answer
   * @throws Refusal where a condition does not hold
   */
  complete(held: ReadonlySet<ItemAccess>): Document;
}

export type Operation = (context: OperationContext, input: Document) => Prepared;

/** @throws Refusal */
export function tableOf({ tables }: OperationContext, name: unknown): TableData {
  const table = tables.get(String(name));
  if (table !== undefined) return table;
  throw new Refusal('ResourceNotFoundException', 'Requested resource not found');
}

/** A prepared request that touches no item. */
export function immediate(complete: () => Document): Prepared {
  return { parts: [], complete };
}
