import { createHash } from 'node:crypto';
import { canonical, isEqual, itemBytes } from '../attribute.ts';
import { consumedCapacity, readUnits } from '../charge.ts';
import { keyOf } from '../schema.ts';
import { isWithin } from '../refusals/query-bounds.ts';
import { keyCondition } from './key-condition.ts';
import type { AttributeValue, Item } from '../attribute.ts';
import type { IndexSchema, TableSchema } from '../schema.ts';
import type { DynamoDbResponse, Document } from '../upstream.ts';
import type { ClientRequest } from './plan.ts';

/** Parameters that remove items or attributes from a page, so that its order cannot be changed. */
const narrowing = ['FilterExpression', 'ProjectionExpression', 'QueryFilter', 'AttributesToGet'];

/** Reads of an index are eventually consistent: half a unit per 4 KB. */
const factor = 0.5;

/** A page ends with the item with which its size exceeds 1 MB. */
const maxPageBytes = 1024 * 1024;

/**
 * DynamoDB defines no order for items of an index with equal sort keys. This returns them in an order that depends only
 * on the seed, on all pages, and not on the order of the engine behind.
 * @returns undefined for a Query whose items need not or cannot be put into another order
 */
export async function queryUnordered(
  asked: ClientRequest,
  table: TableSchema,
): Promise<DynamoDbResponse | undefined> {
  const { operation, body } = asked;
  const index = table.indexes.find(({ name }) => name === body['IndexName']);
  if (operation !== 'Query' || index?.key.sort === undefined) return undefined;
  if (narrowing.some((name) => body[name] !== undefined)) return undefined;
  const { partition } = keyCondition(index.key, body);
  if (partition === undefined) return undefined;
  return new UnorderedQuery(asked, { table, index, partition }).answer();
}

interface Target {
  table: TableSchema;
  index: IndexSchema;
  partition: AttributeValue;
}

/** The engine behind rejected a request. */
class EngineRejection extends Error {
  readonly answer: DynamoDbResponse;

  constructor(answer: DynamoDbResponse) {
    super('the engine refused a Query');
    this.answer = answer;
  }
}

class UnorderedQuery {
  readonly #asked: ClientRequest;
  readonly #target: Target;
  readonly #sort: string;
  readonly #limit: number;

  constructor(asked: ClientRequest, target: Target) {
    this.#asked = asked;
    this.#target = target;
    this.#sort = target.index.key.sort ?? '';
    this.#limit = (asked.body['Limit'] as number | undefined) ?? Infinity;
  }

  async answer(): Promise<DynamoDbResponse> {
    try {
      const items: Item[] = [];
      let start = this.#asked.body['ExclusiveStartKey'] as Item | undefined;
      if (start !== undefined) {
        const equal = await this.#equalTo(start);
        items.push(...equal.filter((item) => this.#compare(item, start ?? {}) > 0));
        start = equal.length === 0 ? start : this.#pageKey(equal.at(-1) ?? {});
      }
      const isFull = items.length >= this.#limit;
      const isWhole = !isFull && (await this.#readOn(items, start));
      return this.#page(this.#inOrder(items), isWhole);
    } catch (error) {
      if (error instanceof EngineRejection) return error.answer;
      throw error;
    }
  }

  /**
   * Adds a page of the engine behind, completed by all items with the sort key of its last item.
   * @returns whether it is the last page
   */
  async #readOn(items: Item[], start: Item | undefined): Promise<boolean> {
    const Limit = this.#limit === Infinity ? undefined : this.#limit - items.length;
    const page = await this.#query({ ...this.#asked.body, ExclusiveStartKey: start, Limit });
    const last = page.LastEvaluatedKey;
    if (last === undefined) {
      items.push(...page.Items);
      return true;
    }
    if (!this.#isWithin(last)) {
      items.push(...page.Items);
      return items.length === 0 && (await this.#readOn(items, last));
    }
    const before = page.Items.filter((item) => !isEqual(item[this.#sort], last[this.#sort]));
    items.push(...before, ...(await this.#equalTo(last)));
    return false;
  }

  /** All items with this one's sort key, in the order of the engine behind. */
  async #equalTo(item: Item): Promise<Item[]> {
    const { TableName, IndexName, ScanIndexForward } = this.#asked.body;
    const { index, partition } = this.#target;
    const found: Item[] = [];
    let ExclusiveStartKey: Item | undefined;
    do {
      const page = await this.#query({
        ...{ TableName, IndexName, ScanIndexForward, ExclusiveStartKey },
        KeyConditionExpression: '#partition = :partition AND #sort = :sort',
        ExpressionAttributeNames: { '#partition': index.key.partition, '#sort': this.#sort },
        ExpressionAttributeValues: { ':partition': partition, ':sort': item[this.#sort] },
      });
      found.push(...page.Items);
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey !== undefined);
    return found;
  }

  async #query(body: Document) {
    const { upstream, headers } = this.#asked;
    const whole = { ...body, Select: undefined, ReturnConsumedCapacity: undefined };
    const answer = await upstream.ask('Query', whole, headers);
    if (answer.status !== 200) throw new EngineRejection(answer);
    const page = answer.body as { Items: Item[]; LastEvaluatedKey?: Item };
    return { ...page, Items: page.Items.filter((item) => this.#isWithin(item)) };
  }

  /** The embedded engine compares a prefix without regard to case. */
  #isWithin(item: Item): boolean {
    const sort = item[this.#sort];
    return (
      sort !== undefined && isWithin(sort, keyCondition(this.#target.index.key, this.#asked.body))
    );
  }

  /** Changes the order within each group of items with equal sort keys. */
  #inOrder(items: readonly Item[]): Item[] {
    const runs = Map.groupBy(items, (item) => canonical(item[this.#sort]));
    return [...runs.values()].flatMap((run) =>
      run.length === 1 ? run : run.sort((a, b) => this.#compare(a, b)),
    );
  }

  #compare(left: Item, right: Item): number {
    const order = this.#rank(left) < this.#rank(right) ? -1 : 1;
    if (isEqual(this.#tableKey(left), this.#tableKey(right))) return 0;
    return this.#asked.body['ScanIndexForward'] === false ? -order : order;
  }

  #rank(item: Item): string {
    const text = `${this.#asked.seed} ${canonical(this.#tableKey(item))}`;
    return createHash('sha256').update(text).digest('hex');
  }

  #tableKey(item: Item): Item {
    return keyOf(this.#target.table.key, item);
  }

  #pageKey(item: Item): Item {
    return { ...this.#tableKey(item), ...keyOf(this.#target.index.key, item) };
  }

  #page(items: readonly Item[], isWhole: boolean): DynamoDbResponse {
    const shown = withinPage(items.slice(0, this.#limit));
    const isTruncated = !isWhole || shown.length < items.length;
    const last = isTruncated ? shown.at(-1) : undefined;
    const { Select } = this.#asked.body;
    return {
      status: 200,
      body: {
        ...(Select !== 'COUNT' && { Items: shown }),
        Count: shown.length,
        ScannedCount: shown.length,
        ...(last && { LastEvaluatedKey: this.#pageKey(last) }),
        ConsumedCapacity: this.#consumed(shown),
      },
    };
  }

  /** A Query is charged for the total size of the items that it has read. */
  #consumed(items: readonly Item[]): object {
    const { table, index } = this.#target;
    const bytes = items.reduce((sum, item) => sum + itemBytes(item), 0);
    const units = readUnits(bytes, factor);
    const side = { table: table.name, target: index.name, arn: index.arn, key: undefined };
    return consumedCapacity(table.name, [{ ...side, unit: 'read', units }], 'INDEXES');
  }
}

function withinPage(items: readonly Item[]): Item[] {
  let bytes = 0;
  const beyond = items.findIndex((item) => (bytes += itemBytes(item)) > maxPageBytes);
  return beyond === -1 ? [...items] : items.slice(0, beyond + 1);
}
