import { canonicalItem } from './canonical.ts';
import type { Document, DynamoDbResponse, Item } from '@engawa/dynamodb-simulator/rules';

type SendRequest = (input: Document) => DynamoDbResponse | Promise<DynamoDbResponse>;

/** More pages than any Query of these tests has. */
const maxPages = 100;

/**
 * Combines all pages of a Query into one response. Index items with equal sort keys, whose order is undefined, are
 * sorted.
 */
export async function wholeQuery(ask: SendRequest, input: Document): Promise<DynamoDbResponse> {
  const items: Item[] = [];
  const scanned: number[] = [];
  let ExclusiveStartKey = input['ExclusiveStartKey'];
  for (let page = 0; page < maxPages; page++) {
    const answer = await ask({ ...input, ...(ExclusiveStartKey ? { ExclusiveStartKey } : {}) });
    if (answer.status !== 200) return answer;
    items.push(...((answer.body['Items'] ?? []) as Item[]));
    scanned.push(Number(answer.body['ScannedCount']));
    ExclusiveStartKey = answer.body['LastEvaluatedKey'];
    if (ExclusiveStartKey !== undefined) continue;
    // Pages may end at different items, so units are compared only for a single page.
    const { ConsumedCapacity } = page === 0 ? answer.body : { ConsumedCapacity: undefined };
    const Items = input['IndexName'] === undefined ? items : inOneOrder(input, items);
    return { status: 200, body: { Items, ConsumedCapacity, scanned } };
  }
  throw new Error(`a Query that does not end: ${JSON.stringify(input)}`);
}

/** Which items with equal sort keys a page has may differ: without their sort key, all are sorted. */
function inOneOrder(input: Document, items: readonly Item[]): Item[] {
  const name = `${input['IndexName'] === 'gsi1' ? 'gsi1' : 'gsi2'}sk`;
  const isSorted = items.every((item) => item[name] !== undefined);
  const runs = Map.groupBy(items, (item) => (isSorted ? JSON.stringify(item[name]) : ''));
  const order = (one: Item, other: Item) => (canonicalItem(one) < canonicalItem(other) ? -1 : 1);
  return [...runs.values()].flatMap((run) => run.toSorted(order));
}
