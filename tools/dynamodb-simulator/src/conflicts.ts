import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { exception } from './exceptions.ts';
import { keyOf } from './schema.ts';
import type { Item } from './attribute.ts';
import type { ClientRequest } from './plans/plan.ts';
import type { DynamoDbResponse, Document } from './upstream.ts';

const milliseconds = z.number().min(0).max(60_000);

/**
 * Minimum and maximum milliseconds for which a transaction locks its items. Other requests that
 * write or check one of them conflict.
 */
export const conflictsSchema = z
  .strictObject({ from: milliseconds, to: milliseconds })
  .refine(({ from, to }) => from <= to, '`from` must not be more than `to`');
export type ConflictsInput = z.input<typeof conflictsSchema>;

type Request = Pick<ClientRequest, 'operation' | 'body' | 'headers' | 'upstream'>;

const singleWrites = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);

/**
 * Transaction conflicts as in DynamoDB (developer guide, "Transaction conflict handling in
 * DynamoDB"): while a transaction writes or checks an item, other transactions with it and single
 * writes of it are rejected.
 */
export class Conflicts {
  readonly #held = new Set<string>();
  readonly #random: () => number;
  #hold: ConflictsInput | undefined;

  /** @param random from 0 up to 1 */
  constructor(random: () => number) {
    this.#random = random;
  }

  get current(): ConflictsInput | undefined {
    return this.#hold;
  }

  /** Undefined: transactions lock nothing. */
  set(hold: ConflictsInput | undefined): void {
    this.#hold = hold;
  }

  /** Sends the request while its items are locked, or rejects it when one of them is locked already. */
  async guard(
    request: Request,
    send: () => Promise<DynamoDbResponse>,
    conflicted: () => void,
  ): Promise<DynamoDbResponse> {
    const hold = this.#hold;
    const isTransaction = request.operation === 'TransactWriteItems';
    if (hold === undefined || !(isTransaction || singleWrites.has(request.operation))) {
      return send();
    }
    const keys = await keysOf(request, isTransaction);
    const conflicts = keys.map((key) => this.#held.has(key));
    if (conflicts.includes(true)) {
      conflicted();
      return isTransaction ? cancelled(conflicts) : refused;
    }
    if (!isTransaction) return send();
    for (const key of keys) this.#held.add(key);
    try {
      await sleep(hold.from + this.#random() * (hold.to - hold.from));
      return await send();
    } finally {
      for (const key of keys) this.#held.delete(key);
    }
  }
}

async function keysOf(
  { body, headers, upstream }: Request,
  isTransaction: boolean,
): Promise<string[]> {
  const actions = isTransaction
    ? (body['TransactItems'] as Record<string, Document>[]).flatMap((item) => Object.values(item))
    : [body];
  return Promise.all(
    actions.map(async ({ TableName, Item, Key }) => {
      const table = await upstream.table(String(TableName), headers);
      const key = keyOf(table.key, (Item ?? Key ?? {}) as Item);
      return JSON.stringify([table.name, Object.entries(key).toSorted()]);
    }),
  );
}

const refused = exception('TransactionConflictException', 'Transaction is ongoing for the item');

function cancelled(conflicts: readonly boolean[]): DynamoDbResponse {
  const conflict = { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' };
  const CancellationReasons = conflicts.map((isOne) => (isOne ? conflict : { Code: 'None' }));
  const codes = CancellationReasons.map(({ Code }) => Code).join(', ');
  const Message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  const __type = 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException';
  return { status: 400, body: { __type, Message, CancellationReasons } };
}
