import { Refusal } from '@engawa/dynamodb-simulator/rules';
import type { Charge, Document, ExpressionCaches, ItemKey } from '@engawa/dynamodb-simulator/rules';
import type { TableData } from '../table-data.ts';
import type { TransactionTokens } from '../transaction-tokens.ts';

/** The tables and caches that operations use. */
export interface OperationContext {
  tables: Map<string, TableData>;
  expressions: ExpressionCaches;
  tokens: TransactionTokens;
  createTable: (definition: Document) => TableData;
  /** Milliseconds of the model's clock. */
  now: number;
}

/** An item that a request reads or writes, or the partition that a Query reads. */
export interface ItemAccess {
  table: TableData;
  /** Undefined for a Query. */
  key: ItemKey | undefined;
  charges: readonly Charge[];
}

/** A validated request that has not been applied. Checks that depend on items may still fail. */
export interface Prepared {
  parts: readonly ItemAccess[];
  /**
   * Applies the request. No write may have been applied since its preparation.
   * @param held unprocessed parts of a batch; empty for all other requests
   * @returns the body of the response
   * @throws Refusal if a condition fails
   */
  complete(held: ReadonlySet<ItemAccess>): Document;
}

export type OperationHandler = (context: OperationContext, input: Document) => Prepared;

/** @throws Refusal */
export function tableOf({ tables }: OperationContext, name: unknown): TableData {
  const table = tables.get(String(name));
  if (table !== undefined) return table;
  throw new Refusal('ResourceNotFoundException', 'Requested resource not found');
}

/** A prepared request that accesses no items. */
export function immediate(complete: () => Document): Prepared {
  return { parts: [], complete };
}
