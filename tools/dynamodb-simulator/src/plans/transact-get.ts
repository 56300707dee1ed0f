import { itemBytes, keyText } from '../attribute.ts';
import { consumedCapacity, readUnits } from '../charge.ts';
import { capacityDetail } from './plan.ts';
import type { Item } from '../attribute.ts';
import type { Charge } from '../charge.ts';
import type { ClientRequest, Plan } from './plan.ts';

interface TransactGet {
  Get: { TableName: string; Key: Item; ProjectionExpression?: string };
}

/** Two reads of each item (developer guide, "Amazon DynamoDB Transactions: How it works", capacity management). */
const factor = 2;

/** TransactGetItems: one part. A missing item costs as much as the smallest. */
export async function planTransactGet(asked: ClientRequest): Promise<Plan> {
  const { operation, body, headers, upstream } = asked;
  const gets = (body['TransactItems'] as TransactGet[]).map(({ Get }) => Get);
  const charges = await Promise.all(
    gets.map(async ({ TableName, Key }): Promise<Charge> => {
      const { name, arn, key } = await upstream.table(TableName, headers);
      const side = { table: name, target: 'table', arn, unit: 'read' as const };
      return { ...side, key: keyText(Key[key.partition]), units: factor };
    }),
  );
  return {
    parts: [{ charges }],
    async send() {
      const answer = await upstream.ask(operation, body, headers);
      if (answer.status !== 200) return { ...answer, more: [] };
      const found = answer.body['Responses'] as { Item?: Item }[];
      const more = charges.flatMap((charge, index) => {
        const units = readUnits(itemBytes(found[index]?.Item ?? {}), factor) - charge.units;
        return units > 0 ? [{ ...charge, units }] : [];
      });
      const told = capacityOf(asked, [...charges, ...more]);
      return { status: 200, body: { ...answer.body, ConsumedCapacity: told }, more };
    },
  };
}

function capacityOf(asked: ClientRequest, charges: readonly Charge[]): object[] | undefined {
  const detail = capacityDetail(asked);
  if (detail === 'NONE') return undefined;
  const tables = [...Map.groupBy(charges, ({ table }) => table)];
  return tables.map(([table, own]) => consumedCapacity(table, own, detail));
}
