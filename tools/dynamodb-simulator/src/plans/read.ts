import { keyText } from '../attribute.ts';
import { capacityDetail } from './plan.ts';
import { partitionAsked } from './partition-asked.ts';
import type { Item } from '../attribute.ts';
import type { Charge } from '../charge.ts';
import type { TableSchema } from '../schema.ts';
import type { Document } from '../upstream.ts';
import type { Asked, Plan } from './plan.ts';

interface Consumed {
  CapacityUnits?: number;
}

/**
 * GetItem, Query and Scan. What a read costs is known when it has been done: it is let through while there is anything
 * left, by the smallest cost there is, and the rest is taken afterwards.
 */
export async function planRead(asked: Asked): Promise<Plan> {
  const { operation, body, headers, upstream } = asked;
  const table = await upstream.table(String(body['TableName']), headers);
  const least = body['ConsistentRead'] === true ? 1 : 0.5;
  const charge = {
    ...targetOf(table, body),
    unit: 'read' as const,
    key: keyAsked(asked, table),
    units: least,
  };
  return {
    parts: [{ charges: [charge] }],
    async send() {
      const counting = { ...body, ReturnConsumedCapacity: 'INDEXES' };
      const answer = await upstream.ask(operation, counting, headers);
      if (answer.status !== 200) return { ...answer, more: [] };
      const consumed = (answer.body['ConsumedCapacity'] ?? {}) as Consumed;
      const units = Math.max(least, consumed.CapacityUnits ?? least);
      tellAsAsked(asked, answer.body);
      return { ...answer, more: units > least ? [{ ...charge, units: units - least }] : [] };
    },
  };
}

/** TransactGetItems: one part, at twice the cost. */
export async function planTransactGet(asked: Asked): Promise<Plan> {
  const { operation, body, headers, upstream } = asked;
  const gets = (body['TransactItems'] as { Get: { TableName: string; Key: Item } }[]).map(
    ({ Get }) => Get,
  );
  const charges = await Promise.all(
    gets.map(async ({ TableName, Key }): Promise<Charge> => {
      const table = await upstream.table(TableName, headers);
      const key = keyText(Key[table.key.partition]);
      return { ...targetOf(table, {}), unit: 'read', key, units: 2 };
    }),
  );
  return {
    parts: [{ charges }],
    send: async () => ({ ...(await upstream.ask(operation, body, headers)), more: [] }),
  };
}

function targetOf({ name: table, arn, indexes }: TableSchema, { IndexName }: Document) {
  const index = indexes.find(({ name }) => name === IndexName);
  return index === undefined
    ? { table, target: 'table', arn }
    : { table, target: index.name, arn: index.arn };
}

function keyAsked({ operation, body }: Asked, table: TableSchema): string | undefined {
  const index = table.indexes.find(({ name }) => name === body['IndexName']);
  const { partition } = index?.key ?? table.key;
  if (operation === 'GetItem') return keyText((body['Key'] as Item)[partition]);
  return operation === 'Query' ? partitionAsked(partition, body) : undefined;
}

function tellAsAsked(asked: Asked, body: Document): void {
  const detail = capacityDetail(asked);
  if (detail === 'NONE') delete body['ConsumedCapacity'];
  if (detail !== 'TOTAL' || body['ConsumedCapacity'] === undefined) return;
  const { TableName, CapacityUnits } = body['ConsumedCapacity'] as Document;
  body['ConsumedCapacity'] = { TableName, CapacityUnits };
}
