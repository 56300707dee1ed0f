import type { Document } from '@engawa/model';
import type { ItemPage, QueryRequest } from './query-request.ts';

/** The source of a Query's pages: the table, or a wrapper that retries or counts its requests. */
export interface QueryTarget {
  query(request: QueryRequest): Promise<ItemPage>;
}

/**
 * The pages of a Query, beginning after the key `after` if given: one request per page, sent when the page is consumed.
 */
export async function* queryPages(
  table: QueryTarget,
  request: QueryRequest,
): AsyncGenerator<ItemPage, void, undefined> {
  let { after } = request;
  do {
    const page = await table.query({ ...request, ...(after && { after }) });
    yield page;
    after = page.next;
  } while (after !== undefined);
}

/** The items of all pages of a Query. */
export async function queryAll(table: QueryTarget, request: QueryRequest): Promise<Document[]> {
  const all: Document[] = [];
  for await (const { items } of queryPages(table, request)) {
    for (const item of items) all.push(item);
  }
  return all;
}
