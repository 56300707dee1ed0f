import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { canConflict, HeldItems, nameOfItem } from './rules/held-items.ts';
import { keyOf } from './rules/item-key.ts';
import { normalizeItem } from './rules/normalize.ts';
import type { Document, DynamoDbResponse } from './rules/exceptions.ts';
import type { ClientRequest } from './plans/plan.ts';

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

/** Delays transactions, and rejects requests that conflict with them meanwhile. */
export class Conflicts {
  readonly #held = new HeldItems();
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
    const { operation, body } = request;
    if (hold === undefined || !canConflict(operation)) return send();
    const items = await itemsOf(request);
    const token = body['ClientRequestToken'] as string | undefined;
    const refusal = this.#held.refusal(operation, items, token);
    if (refusal !== undefined) {
      conflicted();
      return refusal;
    }
    if (operation !== 'TransactWriteItems') return send();
    const letGo = this.#held.hold(items, token);
    try {
      await sleep(hold.from + this.#random() * (hold.to - hold.from));
      return await send();
    } finally {
      letGo();
    }
  }
}

async function itemsOf({ operation, body, headers, upstream }: Request): Promise<string[]> {
  const actions = operation.startsWith('Transact')
    ? (body['TransactItems'] as Record<string, Document>[]).flatMap((item) => Object.values(item))
    : [body];
  return Promise.all(
    actions.map(async ({ TableName, Item, Key }) => {
      const table = await upstream.table(String(TableName), headers);
      return nameOfItem(table.name, keyOf(table.key, normalizeItem(Item ?? Key)));
    }),
  );
}
