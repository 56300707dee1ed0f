import { beyond } from './beyond.ts';
import { writeCharges } from '../rules/charge.ts';
import { keyAttributes } from '../rules/item-key.ts';
import { parseWrite, writeOutcome } from '../rules/requests/write-request.ts';
import { writesOf } from '../refusals/writes-of.ts';
import { capacitiesOf } from './plan.ts';
import type { Item } from '../rules/attribute.ts';
import type { Charge } from '../rules/charge.ts';
import type { ItemKey } from '../rules/item-key.ts';
import type { TableSchema } from '../rules/schema.ts';
import type { StoredItem } from '../rules/stored-item.ts';
import type { RequestedWrite } from '../refusals/writes-of.ts';
import type { ClientRequest, Plan } from './plan.ts';

/** PutItem, DeleteItem and UpdateItem. */
export async function planWrite(asked: ClientRequest): Promise<Plan> {
  const { operation, body, headers, upstream } = asked;
  const table = await upstream.table(String(body['TableName']), headers);
  const changes = await changesOf(asked, table, writesOf(asked));
  const charges = changes.flatMap((change) => chargesOf(change, 1));
  return {
    parts: [{ charges }],
    async send() {
      const answer = await upstream.ask(operation, body, headers);
      if (answer.status !== 200) return { ...answer, more: [] };
      const written = operation === 'UpdateItem' ? await readAgain(asked, changes) : changes;
      const all = written.flatMap((change) => chargesOf(change, 1));
      const [ConsumedCapacity] = capacitiesOf(asked, all) ?? [];
      return {
        status: 200,
        body: { ...answer.body, ConsumedCapacity },
        more: beyond(charges, all),
      };
    },
  };
}

/** A write of one item. */
export interface Change {
  table: TableSchema;
  key: ItemKey;
  /** The key's attributes. */
  attributes: Item;
  before: StoredItem | undefined;
  /** As expected before the write. */
  after: StoredItem | undefined;
}

/** @param writes of one table @throws Refusal */
export async function changesOf(
  { expressions, headers, upstream }: ClientRequest,
  table: TableSchema,
  writes: readonly RequestedWrite[],
): Promise<Change[]> {
  const requests = writes.map(({ kind, action }) => parseWrite(expressions, table, kind, action));
  const keys = requests.map(({ item }) => keyAttributes(table.key, item));
  const found = await upstream.items(table, keys, headers);
  return requests.map((request, index) => {
    const before = found[index];
    const outcome = writeOutcome(request, before);
    const after = 'after' in outcome ? outcome.after : before;
    return { table, key: request.key, attributes: keys[index] ?? {}, before, after };
  });
}

/** The changes with the items that are stored now. */
export function readAgain(
  { headers, upstream }: ClientRequest,
  changes: readonly Change[],
): Promise<Change[]> {
  return Promise.all(
    changes.map(async (change) => {
      const [after] = await upstream.items(change.table, [change.attributes], headers);
      return { ...change, after };
    }),
  );
}

export function chargesOf({ table, key, before, after }: Change, factor: 1 | 2): Charge[] {
  return writeCharges(table, key.partition, [before, after], factor);
}
