import { keyText } from '../attribute.ts';
import { consumedCapacity } from '../charge.ts';
import { queryUnordered } from './equal-keys.ts';
import { capacityDetail } from './plan.ts';
import { keySchemaOf } from '../schema.ts';
import { keyCondition } from './key-condition.ts';
import type { Item } from '../attribute.ts';
import type { Charge } from '../charge.ts';
import type { TableSchema, KeySchema } from '../schema.ts';
import type { Document } from '../upstream.ts';
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
      const answer =
        (await queryUnordered(asked, table)) ?? (await upstream.ask(operation, counting, headers));
      if (answer.status !== 200) return { ...answer, more: [] };
      const consumed = (answer.body['ConsumedCapacity'] ?? {}) as Consumed;
      const units = Math.max(least, consumed.CapacityUnits ?? least);
      tellAsAsked(asked, answer.body, { ...charge, units });
      return { ...answer, more: units > least ? [{ ...charge, units: units - least }] : [] };
    },
  };
}

function targetOf({ name: table, arn, indexes }: TableSchema, { IndexName }: Document) {
  const index = indexes.find(({ name }) => name === IndexName);
  return index === undefined
    ? { table, target: 'table', arn }
    : { table, target: index.name, arn: index.arn };
}

function keyAsked({ operation, body }: ClientRequest, table: TableSchema): string | undefined {
  const key = keySchemaOf(table, body['IndexName']);
  if (operation === 'GetItem') return keyText((body['Key'] as Item)[key.partition]);
  return operation === 'Query' ? queriedPartitionKey(key, body) : undefined;
}

/** Some engines report no capacity for a missing item. */
function tellAsAsked(asked: ClientRequest, body: Document, charge: Charge): void {
  const detail = capacityDetail(asked);
  if (detail === 'NONE') delete body['ConsumedCapacity'];
  else body['ConsumedCapacity'] = consumedCapacity(charge.table, [charge], detail);
}

/** The partition key of a Query; undefined when it cannot be determined. */
function queriedPartitionKey(key: KeySchema, body: Document): string | undefined {
  const { partition } = keyCondition(key, body);
  return partition && keyText(partition);
}
