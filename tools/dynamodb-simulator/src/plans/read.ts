import { chargeOf } from '../rules/charge.ts';
import { parseKey, partitionText } from '../rules/item-key.ts';
import { queryUnordered } from './equal-keys.ts';
import { capacitiesOf } from './plan.ts';
import { queryTerms } from './query-terms.ts';
import type { IndexSchema, TableSchema } from '../rules/schema.ts';
import type { ClientRequest, Plan } from './plan.ts';

interface Consumed {
  CapacityUnits?: number;
}

/**
 * GetItem, Query and Scan. The cost of a read is known afterwards: it is admitted with the smallest
 * cost while the key has units left, and the remaining cost is taken after the response.
 */
export async function planRead(asked: ClientRequest): Promise<Plan> {
  const { operation, body, headers, upstream } = asked;
  const table = await upstream.table(String(body['TableName']), headers);
  const index = table.indexes.find(({ name }) => name === body['IndexName']);
  const units = body['ConsistentRead'] === true ? 1 : 0.5;
  const key = partitionOf(asked, table, index);
  const charge = chargeOf(table, index, { unit: 'read', key, units });
  return {
    parts: [{ charges: [charge] }],
    async send() {
      const counting = { ...body, ReturnConsumedCapacity: 'INDEXES' };
      const answer =
        (await queryUnordered(asked, table)) ?? (await upstream.ask(operation, counting, headers));
      if (answer.status !== 200) return { ...answer, more: [] };
      // Some engines report no capacity for a missing item.
      const consumed = (answer.body['ConsumedCapacity'] ?? {}) as Consumed;
      const more = Math.max(0, (consumed.CapacityUnits ?? 0) - units);
      const [ConsumedCapacity] = capacitiesOf(asked, [{ ...charge, units: units + more }]) ?? [];
      return {
        status: 200,
        body: { ...answer.body, ConsumedCapacity },
        more: more > 0 ? [{ ...charge, units: more }] : [],
      };
    },
  };
}

/** The partition key that is read; undefined when it cannot be determined. */
function partitionOf(
  asked: ClientRequest,
  table: TableSchema,
  index: IndexSchema | undefined,
): string | undefined {
  const { operation, body } = asked;
  if (operation === 'GetItem') return parseKey(table.key, body['Key']).key.partition;
  if (operation !== 'Query') return undefined;
  const { partition } = (index ?? table).key;
  const [value] = queryTerms(asked).find(({ name }) => name === partition.name)?.operands ?? [];
  return value && partitionText(value);
}
