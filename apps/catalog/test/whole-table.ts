import { askEngine } from '@engawa/testing';
import type { StartedTable } from './table.ts';

/** An item in DynamoDB's JSON, so that all digits of numbers are compared. */
export type RawItem = Record<string, unknown>;

/** All items of the table, sorted by key: a Scan, which no service may use. */
export async function wholeTable({ location }: StartedTable): Promise<RawItem[]> {
  const items: RawItem[] = [];
  let after: unknown;
  do {
    const page = await askEngine(location.endpoint, 'Scan', {
      TableName: location.tableName,
      ConsistentRead: true,
      ...(after !== undefined && { ExclusiveStartKey: after }),
    });
    items.push(...(page['Items'] as RawItem[]));
    after = page['LastEvaluatedKey'];
  } while (after !== undefined);
  return items.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

function keyOf({ pk, sk }: RawItem): string {
  return JSON.stringify([pk, sk]);
}
