import { chargeOf, readUnits } from '../rules/charge.ts';
import { parseKey } from '../rules/item-key.ts';
import { itemBytes } from '../rules/item-size.ts';
import { capacitiesOf } from './plan.ts';
import type { Item } from '../rules/attribute.ts';
import type { ClientRequest, Plan } from './plan.ts';

interface TransactGet {
  Get: { TableName: string; Key: Item; ProjectionExpression?: string };
}

const kind = { isConsistent: true, isTransaction: true };

/** TransactGetItems: one part. A missing item costs as much as the smallest. */
export async function planTransactGet(asked: ClientRequest): Promise<Plan> {
  const { operation, body, headers, upstream } = asked;
  const charges = await Promise.all(
    (body['TransactItems'] as TransactGet[]).map(async ({ Get }) => {
      const table = await upstream.table(Get.TableName, headers);
      const { partition } = parseKey(table.key, Get.Key).key;
      const units = readUnits(0, kind);
      return chargeOf(table, undefined, { unit: 'read', key: partition, units });
    }),
  );
  return {
    parts: [{ charges }],
    actions: charges.map((charge) => [charge]),
    async send() {
      const answer = await upstream.ask(operation, body, headers);
      if (answer.status !== 200) return { ...answer, more: [] };
      const found = answer.body['Responses'] as { Item?: Item }[];
      const more = charges.flatMap((charge, index) => {
        const units = readUnits(itemBytes(found[index]?.Item ?? {}), kind) - charge.units;
        return units > 0 ? [{ ...charge, units }] : [];
      });
      const ConsumedCapacity = capacitiesOf(asked, [...charges, ...more]);
      return { status: 200, body: { ...answer.body, ConsumedCapacity }, more };
    },
  };
}
