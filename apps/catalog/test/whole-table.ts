import type { StartedTable } from './table.ts';

/** An item in DynamoDB's JSON, so that all digits of numbers are compared. */
export type RawItem = Record<string, unknown>;

/** All items of the table, sorted by key: a Scan, which no service may use. */
export async function wholeTable({ location }: StartedTable): Promise<RawItem[]> {
  const items: RawItem[] = [];
  let after: unknown;
  do {
    const answer = await fetch(location.endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'DynamoDB_20120810.Scan',
        'x-amz-date': '20260101T000000Z',
        authorization:
          'AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
      },
      body: JSON.stringify({
        TableName: location.tableName,
        ConsistentRead: true,
        ...(after !== undefined && { ExclusiveStartKey: after }),
      }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    const page = (await answer.json()) as { Items: RawItem[]; LastEvaluatedKey?: unknown };
    items.push(...page.Items);
    after = page.LastEvaluatedKey;
  } while (after !== undefined);
  return items.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

function keyOf({ pk, sk }: RawItem): string {
  return JSON.stringify([pk, sk]);
}
