import { cursorContext, route } from '@engawa/http';
import { isPartitionOf, tableFamilies } from '@engawa/keys';
import { pageKeyOf } from '@engawa/table';
import { fittingItems, keyOf } from '../table-items/fitting-items.ts';
import { itemsOutput } from '../table-items/items-output.ts';
import {
  boundParameters,
  itemsQuery,
  pageKeyFrom,
  pageLimit,
  requestOf,
} from '../table-items/items-query.ts';
import { priceOf } from '../table-items/price.ts';
import { projectionOf } from '../table-items/projection.ts';
import type { CursorCodec, Route } from '@engawa/http';
import type { PageKey, RawPage, Table } from '@engawa/table';
import type { ItemsQuery } from '../table-items/items-query.ts';

export interface GetTableItemsOptions {
  table: Pick<Table, 'raw'>;
  cursors: CursorCodec;
}

const operationId = 'getTableItems';

/** An item may hold data that changes with each request. */
const headers = { 'Cache-Control': 'no-store' };
const nothingConsumed = { units: 0, requests: 0, isReported: true };

/** The raw and decoded items of one partition key (docs/adr/0087-raw-items-over-http.md). */
export function getTableItems({ table, cursors }: GetTableItemsOptions): Route {
  return route({
    method: 'get',
    path: '/v1/table/items',
    operationId,
    summary: 'The items of one partition of the table or of an index',
    description:
      'For people who know DynamoDB: items of every kind by partition key, raw and decoded, with the price of the request. One Query, eventually consistent, and never a Scan. Nothing is written. Needs a token with the scope `query:table` that is not restricted to places, since a partition can contain data of all services and of any place.',
    tags: ['operations'],
    query: itemsQuery,
    responses: { 200: { description: 'A page of items, and its price.', schema: itemsOutput } },
    problems: ['invalid-cursor', 'table-throttled', 'table-unavailable'],
    scope: 'table',
    handle: async ({ query, budget, signal, work }) => {
      const context = cursorContext(operationId, boundParameters(query));
      const { cursor, index, pk } = query;
      const after = cursor === undefined ? undefined : pageKeyFrom(cursors.decode(context, cursor));
      const described = {
        families: familiesOf({ index, pk }),
        projection: projectionOf(index),
        price: priceOf(pageLimit(query)),
      };
      if (query.dryRun) {
        return {
          status: 200,
          headers,
          body: { items: [], ...described, consumed: nothingConsumed },
        };
      }
      const read = async () => {
        const page = await table.raw.query({ ...requestOf(query, after), signal });
        budget.charge(page.units);
        const items = await work.run(fittingItems(page.items, budget.maxBytes));
        return { ...page, items, next: nextOf(page, items.length, index) };
      };
      const { items, next, units, isReported } = await work.holdPage(read);
      const body = {
        items,
        ...(next !== undefined && { cursor: cursors.encode(context, next) }),
        ...described,
        consumed: { units, requests: 1, isReported },
      };
      return { status: 200, headers, body };
    },
  });
}

/** The end of a page that shows this number of the items that were read. */
function nextOf(
  { items, next }: RawPage,
  count: number,
  index: ItemsQuery['index'],
): PageKey | undefined {
  const last = count < items.length ? items[count - 1] : undefined;
  if (last === undefined) return next;
  return pageKeyOf(keyOf(last), index === 'table' ? undefined : index);
}

function familiesOf(given: Pick<ItemsQuery, 'index' | 'pk'>): string[] {
  return tableFamilies.filter((family) => isPartitionOf(family, given)).map(({ name }) => name);
}
