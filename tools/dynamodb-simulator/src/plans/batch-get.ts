import { isEqual, itemBytes, keyText } from '../attribute.ts';
import { consumedCapacity, readUnits } from '../charge.ts';
import { keyOf } from '../schema.ts';
import { capacityDetail } from './plan.ts';
import type { Item } from '../attribute.ts';
import type { Charge } from '../charge.ts';
import type { TableSchema } from '../schema.ts';
import type { DynamoDbResponse, Document } from '../upstream.ts';
import type { ClientRequest, RequestPart, Plan } from './plan.ts';

interface TableKeys extends Document {
  Keys: Item[];
  ConsistentRead?: boolean;
}

interface GetPart extends RequestPart {
  table: TableSchema;
  key: Item;
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
  return wanted.Keys.map((key) => {
    const charge: Charge = {
      table: name,
      target: 'table',
      arn: table.arn,
      unit: 'read',
      key: keyText(key[table.key.partition]),
      units: factorOf(wanted),
    };
    return { table, key, wanted, charge, charges: [charge] };
  });
}

/** The cost of an item beyond the minimum, by the size of the returned item. */
function moreOf({ table, key, wanted, charge }: GetPart, { body }: DynamoDbResponse): Charge[] {
  const items = (body['Responses'] as Record<string, Item[]> | undefined)?.[table.name] ?? [];
  const item = items.find((candidate) => isEqual(keyOf(table.key, candidate), key));
  const units = readUnits(itemBytes(item ?? {}), factorOf(wanted)) - charge.units;
  return units > 0 ? [{ ...charge, units }] : [];
}

function factorOf({ ConsistentRead }: TableKeys): number {
  return ConsistentRead === true ? 1 : 0.5;
}

function told(
  asked: ClientRequest,
  { body }: DynamoDbResponse,
  { sent, held, more }: { sent: GetPart[]; held: GetPart[]; more: Charge[] },
): Document {
  const detail = capacityDetail(asked);
  const all = [...sent.map(({ charge }) => charge), ...more];
  const tables = [...Map.groupBy(all, ({ table }) => table)];
  const { UnprocessedKeys = {}, ...rest } = body;
  const left = UnprocessedKeys as Record<string, TableKeys>;
  for (const [table, wanted] of Object.entries(byTable(held))) {
    left[table] = { ...wanted, Keys: [...(left[table]?.Keys ?? []), ...wanted.Keys] };
  }
  return {
    ...rest,
    UnprocessedKeys: left,
    ConsumedCapacity: undefined,
    ...(detail !== 'NONE' && {
      ConsumedCapacity: tables.map(([table, own]) => consumedCapacity(table, own, detail)),
    }),
  };
}

function byTable(parts: readonly GetPart[]): Record<string, TableKeys> {
  const tables = [...Map.groupBy(parts, ({ table }) => table.name)];
  return Object.fromEntries(
    tables.map(([table, own]) => [table, { ...own[0]?.wanted, Keys: own.map(({ key }) => key) }]),
  );
}
