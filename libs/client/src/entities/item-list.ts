import { itemsOf } from '../methods.ts';
import type { ServiceResponse } from '../http/http-client.ts';

/** Which page is asked for: the first, or the one that the `cursor` of another leads to. */
export interface PageAsked<Counted extends boolean> {
  cursor?: string | undefined;
  /** Whether to count all that the list has: a read unit for each 8 KB of it, so ask with the first page alone. */
  total?: Counted;
}

interface AnyPage<Item> {
  items: Item[];
  /** Leads to the next page; the last has none. */
  cursor?: string | undefined;
}

interface Total {
  /** How many there are on all pages. */
  total: number;
  /** Otherwise there are more: counting them all is too much for one answer. */
  totalIsExact: boolean;
}

export type PageOf<Item, Counted extends boolean> = AnyPage<Item> &
  (Counted extends true ? Total : object);

type AskPage = (page: PageAsked<boolean>) => Promise<ServiceResponse<AnyPage<unknown>>>;

/** A list, of which nothing is asked for until it is iterated over, or a page of it is taken. */
export class ItemList<Item> implements AsyncIterable<Item> {
  readonly #ask: AskPage;

  constructor(ask: AskPage) {
    this.#ask = ask;
  }

  /** All items, each page asked for when the one before has been taken. */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    return itemsOf(this.#ask, {}) as AsyncGenerator<Item, void, undefined>;
  }

  async page<Counted extends boolean = false>(
    asked: PageAsked<Counted> = {},
  ): Promise<PageOf<Item, Counted>> {
    return (await this.#ask(asked)).body as PageOf<Item, Counted>;
  }
}
