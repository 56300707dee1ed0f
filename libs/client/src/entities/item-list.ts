import { itemsOf } from '../methods.ts';
import type { ServiceResponse } from '../http/http-client.ts';

/** The requested page: the first, or the page of a `cursor`. */
export interface PageRequest<Counted extends boolean> {
  cursor?: string | undefined;
  /** Whether to count all items of the list: costs a read unit per 8 KB, so request it with the first page only. */
  total?: Counted;
}

interface AnyPage<Item> {
  items: Item[];
  /** The cursor of the next page; absent on the last page. */
  cursor?: string | undefined;
}

/** The counted items of a page with `total`. */
export interface ItemTotal {
  /** Number of items on all pages. */
  total: number;
  /** False if the list was too long for a complete count. */
  totalIsExact: boolean;
}

export type PageOf<
  Item,
  Counted extends boolean,
  Properties = object,
  Total = ItemTotal,
> = AnyPage<Item> & Properties & (Counted extends true ? Total : object);

type FetchPage = (page: PageRequest<boolean>) => Promise<ServiceResponse<AnyPage<unknown>>>;

/**
 * A lazy list: requests are sent when it is iterated over, or when a page is requested. Its pages have `Properties`
 * beside the items, and `Total` if the items are counted.
 */
export class ItemList<Item, Properties = object, Total = ItemTotal> implements AsyncIterable<Item> {
  readonly #ask: FetchPage;

  constructor(ask: FetchPage) {
    this.#ask = ask;
  }

  /** All items; each page is requested after the previous one was consumed. */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    return itemsOf(this.#ask, {}) as AsyncGenerator<Item, void, undefined>;
  }

  async page<Counted extends boolean = false>(
    asked: PageRequest<Counted> = {},
  ): Promise<PageOf<Item, Counted, Properties, Total>> {
    return (await this.#ask(asked)).body as PageOf<Item, Counted, Properties, Total>;
  }
}
