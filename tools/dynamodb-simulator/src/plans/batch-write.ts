import { consumedCapacity } from '../charge.ts';
import { keyOf } from '../schema.ts';
import { capacityDetail } from './plan.ts';
import { chargesOf } from './write.ts';
import type { Item } from '../attribute.ts';
import type { DynamoDbResponse } from '../upstream.ts';
import type { ClientRequest, RequestPart, Plan } from './plan.ts';

interface WriteRequest {
  PutRequest?: { Item: Item };
  DeleteRequest?: { Key: Item };
}

interface WritePart extends RequestPart {
  table: string;
  request: WriteRequest;
}

/** BatchWriteItem: throttled items are returned as UnprocessedItems. */
export async function planBatchWrite(asked: ClientRequest): Promise<Plan> {
  const { body } = asked;
  const asks = Object.entries(body['RequestItems'] as Record<string, WriteRequest[]>);
  const parts = (
    await Promise.all(asks.map(([table, requests]) => partsOf(asked, table, requests)))
  ).flat();
  return {
    parts,
    async send(admitted) {
      const sent = parts.filter((part) => admitted.includes(part));
      const answer = await sendSome(asked, sent);
      if (answer.status !== 200) return { ...answer, more: [] };
      const held = parts.filter((part) => !admitted.includes(part));
      return { status: 200, body: told(asked, answer, sent, held), more: [] };
    },
  };
}

/** Without admitted parts no request is sent: DynamoDB rejects an empty batch. */
function sendSome(
  { operation, body, headers, upstream }: ClientRequest,
  sent: readonly WritePart[],
): Promise<DynamoDbResponse> {
  if (sent.length === 0) return Promise.resolve({ status: 200, body: {} });
  return upstream.ask(operation, { ...body, RequestItems: byTable(sent) }, headers);
}

async function partsOf(
  { headers, upstream }: ClientRequest,
  name: string,
  requests: readonly WriteRequest[],
): Promise<WritePart[]> {
  const table = await upstream.table(name, headers);
  const keys = requests.map(({ PutRequest, DeleteRequest }) =>
    keyOf(table.key, PutRequest?.Item ?? DeleteRequest?.Key ?? {}),
  );
  const found = await upstream.items(table, keys, headers);
  return requests.map((request, index) => {
    const change = {
      table,
      key: keys[index] ?? {},
      before: found[index],
      after: request.PutRequest?.Item,
    };
    return { table: name, request, charges: chargesOf(change, 1) };
  });
}

function told(
  asked: ClientRequest,
  { body }: DynamoDbResponse,
  sent: readonly WritePart[],
  held: readonly WritePart[],
) {
  const detail = capacityDetail(asked);
  const ConsumedCapacity = [...Map.groupBy(sent, ({ table }) => table)].map(([table, parts]) =>
    consumedCapacity(
      table,
      parts.flatMap(({ charges }) => charges),
      detail,
    ),
  );
  const before = (body['UnprocessedItems'] ?? {}) as Record<string, WriteRequest[]>;
  const UnprocessedItems: Record<string, WriteRequest[]> = { ...before };
  for (const [table, requests] of Object.entries(byTable(held))) {
    UnprocessedItems[table] = [...(before[table] ?? []), ...requests];
  }
  return {
    ...body,
    UnprocessedItems,
    ConsumedCapacity: detail === 'NONE' ? undefined : ConsumedCapacity,
  };
}

function byTable(parts: readonly WritePart[]): Record<string, WriteRequest[]> {
  const tables = Map.groupBy(parts, ({ table }) => table);
  return Object.fromEntries(
    [...tables].map(([table, own]) => [table, own.map(({ request }) => request)]),
  );
}
