import { beyond, consumedCapacity, writeCharges } from '../charge.ts';
import { keyOf } from '../schema.ts';
import { expectedUpdate } from './expected-update.ts';
import { capacityDetail } from './plan.ts';
import type { Item } from '../attribute.ts';
import type { TableSchema } from '../schema.ts';
import type { Document } from '../upstream.ts';
import type { ClientRequest, Plan } from './plan.ts';

/** PutItem, DeleteItem and UpdateItem. */
export async function planWrite(asked: ClientRequest): Promise<Plan> {
  const { operation, body, headers, upstream } = asked;
  const table = await upstream.table(String(body['TableName']), headers);
  const put = body['Item'] as Item | undefined;
  const key = keyOf(table.key, put ?? (body['Key'] as Item));
  const [before] = await upstream.items(table, [key], headers);
  const change = {
    table,
    key,
    before,
    after: expectedAfter(operation, before, { ...body, Key: key }),
  };
  const charges = chargesOf(change, 1);
  return {
    parts: [{ charges }],
    async send() {
      const answer = await upstream.ask(operation, body, headers);
      if (answer.status !== 200) return { ...answer, more: [] };
      const isUpdate = operation === 'UpdateItem';
      const after = isUpdate ? (await upstream.items(table, [key], headers))[0] : change.after;
      const all = isUpdate ? chargesOf({ ...change, after }, 1) : charges;
      const detail = capacityDetail(asked);
      const told =
        detail === 'NONE' ? {} : { ConsumedCapacity: consumedCapacity(table.name, all, detail) };
      delete answer.body['ConsumedCapacity'];
      return { status: 200, body: { ...answer.body, ...told }, more: beyond(charges, all) };
    },
  };
}

export interface Change {
  table: TableSchema;
  key: Item;
  before: Item | undefined;
  after: Item | undefined;
}

export function chargesOf({ table, key, before, after }: Change, factor: number) {
  return writeCharges(table, key, [before, after], factor);
}

/** The item after a write of this kind. */
export function expectedAfter(
  kind: string,
  before: Item | undefined,
  write: Document,
): Item | undefined {
  if (kind.startsWith('Put')) return write['Item'] as Item;
  if (kind.startsWith('Delete')) return undefined;
  return kind.startsWith('Update') ? expectedUpdate(before, write) : before;
}
