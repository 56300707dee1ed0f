import { batchedWrite } from '../refusals/writes-of.ts';
import { capacitiesOf } from './plan.ts';
import { changesOf, chargesOf } from './write.ts';
import type { Document, DynamoDbResponse } from '../rules/exceptions.ts';
import type { ClientRequest, RequestPart, Plan } from './plan.ts';

interface WritePart extends RequestPart {
  table: string;
  request: Document;
}

/** BatchWriteItem: throttled items are returned as UnprocessedItems. */
export async function planBatchWrite(asked: ClientRequest): Promise<Plan> {
  const { body } = asked;
  const asks = Object.entries(body['RequestItems'] as Record<string, Document[]>);
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
  asked: ClientRequest,
  name: string,
  requests: readonly Document[],
): Promise<WritePart[]> {
  const table = await asked.upstream.table(name, asked.headers);
  const writes = requests.map((request) => batchedWrite(name, request));
  const changes = await changesOf(asked, table, writes);
  return changes.map((change, index) => ({
    table: name,
    request: requests[index] ?? {},
    charges: chargesOf(change, 1),
  }));
}

function told(
  asked: ClientRequest,
  { body }: DynamoDbResponse,
  sent: readonly WritePart[],
  held: readonly WritePart[],
) {
  const before = (body['UnprocessedItems'] ?? {}) as Record<string, Document[]>;
  const UnprocessedItems: Record<string, Document[]> = { ...before };
  for (const [table, requests] of Object.entries(byTable(held))) {
    UnprocessedItems[table] = [...(before[table] ?? []), ...requests];
  }
  const charges = sent.flatMap((part) => part.charges);
  return { ...body, UnprocessedItems, ConsumedCapacity: capacitiesOf(asked, charges) };
}

function byTable(parts: readonly WritePart[]): Record<string, Document[]> {
  const tables = Map.groupBy(parts, ({ table }) => table);
  return Object.fromEntries(
    [...tables].map(([table, own]) => [table, own.map(({ request }) => request)]),
  );
}
