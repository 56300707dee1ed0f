import { chargeOf, readUnits } from '../rules/charge.ts';
import { keyOf, parseKey } from '../rules/item-key.ts';
import { itemBytes } from '../rules/item-size.ts';
import { nameOfItem } from '../rules/held-items.ts';
import { attributesOf } from '../rules/schema.ts';
import { capacitiesOf } from './plan.ts';
import type { Item } from '../rules/attribute.ts';
import type { Charge } from '../rules/charge.ts';
import type { Document, DynamoDbResponse } from '../rules/exceptions.ts';
import type { ItemKey } from '../rules/item-key.ts';
import type { TableSchema } from '../rules/schema.ts';
import type { ClientRequest, RequestPart, Plan } from './plan.ts';

interface TableKeys extends Document {
  Keys: Item[];
  ConsistentRead?: boolean;
}

interface GetPart extends RequestPart {
  table: TableSchema;
  key: ItemKey;
  /** The key as the client wrote it. */
  attributes: Item;
  wanted: TableKeys;
  charge: Charge;
}

/** BatchGetItem: throttled keys are returned as UnprocessedKeys. */
export async function planBatchGet(asked: ClientRequest): Promise<Plan> {
  const { body } = asked;
  const asks = Object.entries(body['RequestItems'] as Record<string, TableKeys>);
  const parts = (
    await Promise.all(asks.map(([table, wanted]) => partsOf(asked, table, wanted)))
  ).flat();
  return {
    parts,
    async send(admitted) {
      const sent = parts.filter((part) => admitted.includes(part));
      const answer = await sendSome(asked, sent);
      if (answer.status !== 200) return { ...answer, more: [] };
      const more = sent.flatMap((part) => moreOf(part, answer));
      const held = parts.filter((part) => !admitted.includes(part));
      return { status: 200, body: told(asked, answer, { sent, held, more }), more };
    },
  };
}

/** Without admitted parts no request is sent: DynamoDB rejects an empty batch. */
function sendSome(
  { operation, body, headers, upstream }: ClientRequest,
  sent: readonly GetPart[],
): Promise<DynamoDbResponse> {
  if (sent.length === 0) return Promise.resolve({ status: 200, body: { Responses: {} } });
  return upstream.ask(operation, { ...body, RequestItems: byTable(sent) }, headers);
}

async function partsOf(
  { headers, upstream }: ClientRequest,
  name: string,
  wanted: TableKeys,
): Promise<GetPart[]> {
  const table = await upstream.table(name, headers);
  return wanted.Keys.map((attributes) => {
    const { key } = parseKey(table.key, attributes);
    const taken = { unit: 'read', key: key.partition, units: unitsOf(wanted, 0) } as const;
    const charge = chargeOf(table, undefined, taken);
    return { table, key, attributes, wanted, charge, charges: [charge] };
  });
}

/** The cost of an item beyond the minimum, by the size of the returned item. */
function moreOf({ table, key, wanted, charge }: GetPart, { body }: DynamoDbResponse): Charge[] {
  const items = (body['Responses'] as Record<string, Item[]> | undefined)?.[table.name] ?? [];
  // A projection may omit the key.
  const whole = items.filter((item) => attributesOf(table.key).every(({ name }) => name in item));
  const name = nameOfItem(table.name, key);
  const item = whole.find((one) => nameOfItem(table.name, keyOf(table.key, one)) === name);
  const units = unitsOf(wanted, itemBytes(item ?? {})) - charge.units;
  return units > 0 ? [{ ...charge, units }] : [];
}

function unitsOf({ ConsistentRead }: TableKeys, bytes: number): number {
  return readUnits(bytes, { isConsistent: ConsistentRead === true });
}

function told(
  asked: ClientRequest,
  { body }: DynamoDbResponse,
  { sent, held, more }: { sent: GetPart[]; held: GetPart[]; more: Charge[] },
): Document {
  const all = [...sent.map(({ charge }) => charge), ...more];
  const { UnprocessedKeys = {}, ...rest } = body;
  const left = UnprocessedKeys as Record<string, TableKeys>;
  for (const [table, wanted] of Object.entries(byTable(held))) {
    left[table] = { ...wanted, Keys: [...(left[table]?.Keys ?? []), ...wanted.Keys] };
  }
  return { ...rest, UnprocessedKeys: left, ConsumedCapacity: capacitiesOf(asked, all) };
}

function byTable(parts: readonly GetPart[]): Record<string, TableKeys> {
  const tables = [...Map.groupBy(parts, ({ table }) => table.name)];
  return Object.fromEntries(
    tables.map(([table, own]) => [
      table,
      { ...own[0]?.wanted, Keys: own.map(({ attributes }) => attributes) },
    ]),
  );
}
