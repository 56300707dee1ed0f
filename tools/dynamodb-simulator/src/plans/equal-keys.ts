import { consumedCapacities, chargeOf, readUnits } from '../rules/charge.ts';
import { keyOf } from '../rules/item-key.ts';
import { itemBytes } from '../rules/item-size.ts';
import { maxPageBytes, queryBounds } from '../rules/requests/query-request.ts';
import { present } from '../rules/present.ts';
import { startAttributes } from '../rules/requests/start-key.ts';
import { compareIndexed, tieOf } from '../rules/stored-item.ts';
import { queryTerms } from './query-terms.ts';
import type { Item } from '../rules/attribute.ts';
import type { Document, DynamoDbResponse } from '../rules/exceptions.ts';
import type { QueryBounds } from '../rules/requests/query-request.ts';
import type { IndexSchema, KeyAttribute, TableSchema } from '../rules/schema.ts';
import type { IndexPosition } from '../rules/stored-item.ts';
import type { ClientRequest } from './plan.ts';

/** Parameters that remove items or attributes from a page, so that its order cannot be changed. */
const narrowing = ['FilterExpression', 'ProjectionExpression', 'QueryFilter', 'AttributesToGet'];

/**
 * DynamoDB defines no order for items of an index with equal sort keys. This returns them in an order that depends only
 * on the seed, on all pages, and not on the order of the engine behind.
 * @returns undefined for a Query whose items need not or cannot be put into another order
 */
export async function queryUnordered(
  asked: ClientRequest,
  table: TableSchema,
): Promise<DynamoDbResponse | undefined> {
  const { operation, body, seed: salt } = asked;
  const index = table.indexes.find(({ name }) => name === body['IndexName']);
  if (operation !== 'Query' || index?.key.sort === undefined) return undefined;
  if (narrowing.some((name) => body[name] !== undefined)) return undefined;
  const bounds = queryBounds({ table, index, salt }, queryTerms(asked), body['ExclusiveStartKey']);
  return new UnorderedQuery(asked, { table, index, sort: index.key.sort, bounds }).answer();
}

interface Target {
  table: TableSchema;
  index: IndexSchema;
  sort: KeyAttribute;
  bounds: QueryBounds;
}

interface Entry extends IndexPosition {
  item: Item;
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
  readonly #limit: number;

  constructor(asked: ClientRequest, target: Target) {
    this.#asked = asked;
    this.#target = target;
    this.#limit = (asked.body['Limit'] as number | undefined) ?? Infinity;
  }

  async answer(): Promise<DynamoDbResponse> {
    try {
      const entries: Entry[] = [];
      const { start } = this.#target.bounds;
      let startKey = this.#asked.body['ExclusiveStartKey'] as Item | undefined;
      if (start !== undefined && startKey !== undefined) {
        const equal = await this.#equalTo(startKey);
        entries.push(...equal.filter((entry) => this.#compare(entry, start) > 0));
        startKey = this.#pageKey(equal.at(-1)?.item) ?? startKey;
      }
      const isFull = entries.length >= this.#limit;
      const isWhole = !isFull && (await this.#readOn(entries, startKey));
      return this.#page(
        entries.toSorted((one, other) => this.#compare(one, other)),
        isWhole,
      );
    } catch (error) {
      if (error instanceof EngineRejection) return error.answer;
      throw error;
    }
  }

  /**
   * Adds a page of the engine behind, completed by all items with the sort key of its last item.
   * @returns whether it is the last page
   */
  async #readOn(entries: Entry[], startKey: Item | undefined): Promise<boolean> {
    const Limit = this.#limit === Infinity ? undefined : this.#limit - entries.length;
    const page = await this.#query({ ...this.#asked.body, ExclusiveStartKey: startKey, Limit });
    const last = page.LastEvaluatedKey;
    if (last === undefined) {
      entries.push(...page.entries);
      return true;
    }
    const end = this.#entryOf(last);
    if (!this.#isWithin(end)) {
      entries.push(...page.entries);
      return entries.length === 0 && (await this.#readOn(entries, last));
    }
    entries.push(...page.entries.filter(({ sort }) => sort !== end.sort));
    entries.push(...(await this.#equalTo(last)));
    return false;
  }

  /** All items with this one's sort key, in the order of the engine behind. */
  async #equalTo(item: Item): Promise<Entry[]> {
    const { TableName, IndexName, ScanIndexForward } = this.#asked.body;
    const { index, sort } = this.#target;
    const { partition } = index.key;
    const found: Entry[] = [];
    let ExclusiveStartKey: Item | undefined;
    do {
      const page = await this.#query({
        ...{ TableName, IndexName, ScanIndexForward, ExclusiveStartKey },
        KeyConditionExpression: '#partition = :partition AND #sort = :sort',
        ExpressionAttributeNames: { '#partition': partition.name, '#sort': sort.name },
        ExpressionAttributeValues: { ':partition': item[partition.name], ':sort': item[sort.name] },
      });
      found.push(...page.entries);
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey !== undefined);
    return found;
  }

  async #query(body: Document) {
    const { upstream, headers } = this.#asked;
    const whole = { ...body, Select: undefined, ReturnConsumedCapacity: undefined };
    const answer = await upstream.ask('Query', whole, headers);
    if (answer.status !== 200) throw new EngineRejection(answer);
    const { Items, LastEvaluatedKey } = answer.body as { Items: Item[]; LastEvaluatedKey?: Item };
    const entries = Items.map((item) => this.#entryOf(item));
    return { entries: entries.filter((entry) => this.#isWithin(entry)), LastEvaluatedKey };
  }

  #entryOf(item: Item): Entry {
    const { table, index } = this.#target;
    const key = keyOf(table.key, item);
    return { key, sort: keyOf(index.key, item).sort, tie: tieOf(key, this.#asked.seed), item };
  }

  /** The embedded engine compares a prefix without regard to case. */
  #isWithin({ sort }: Entry): boolean {
    const { range } = this.#target.bounds;
    return range.isReached(sort) && !range.isPassed(sort);
  }

  #compare(left: IndexPosition, right: IndexPosition): number {
    const order = compareIndexed(left, right);
    return this.#asked.body['ScanIndexForward'] === false ? -order : order;
  }

  #pageKey(item: Item | undefined): Item | undefined {
    const { table, index } = this.#target;
    return item && chosen(item, startAttributes(table, index));
  }

  #page(entries: readonly Entry[], isWhole: boolean): DynamoDbResponse {
    const shown = withinPage(entries.slice(0, this.#limit).map(({ item }) => item));
    const isTruncated = !isWhole || shown.length < entries.length;
    const last = isTruncated ? this.#pageKey(shown.at(-1)) : undefined;
    const { Select } = this.#asked.body;
    return {
      status: 200,
      body: {
        ...(Select !== 'COUNT' && { Items: shown }),
        Count: shown.length,
        ScannedCount: shown.length,
        ...(last && { LastEvaluatedKey: last }),
        ConsumedCapacity: this.#consumed(shown),
      },
    };
  }

  /** A Query is charged for the total size of its items; reads of an index are eventually consistent. */
  #consumed(items: readonly Item[]): Document | undefined {
    const { table, index, bounds } = this.#target;
    const bytes = items.reduce((sum, item) => sum + itemBytes(item), 0);
    const units = readUnits(bytes, { isConsistent: false });
    const charge = chargeOf(table, index, { unit: 'read', key: bounds.partition, units });
    return consumedCapacities([charge], 'INDEXES')[0];
  }
}

function chosen(item: Item, attributes: readonly KeyAttribute[]): Item {
  return Object.fromEntries(attributes.map(({ name }) => [name, present(item[name])]));
}

function withinPage(items: readonly Item[]): Item[] {
  let bytes = 0;
  const beyond = items.findIndex((item) => (bytes += itemBytes(item)) > maxPageBytes);
  return beyond === -1 ? [...items] : items.slice(0, beyond + 1);
}
