import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';

/** The items of one response. */
export class ItemsRead<Item> {
  #items: Item[] = [];
  #bytes: number | undefined;
  readonly #sizeOf: (item: Item) => number;

  /** @param sizeOf bytes of an item by DynamoDB's count */
  constructor(sizeOf: (item: Item) => number) {
    this.#sizeOf = sizeOf;
  }

  get items(): Item[] {
    return this.#items;
  }

  /**
   * Total size by DynamoDB's count. The first call walks through all items: needed only where units are not reported.
   */
  get bytes(): number {
    this.#bytes ??= this.#items.reduce((sum, item) => sum + this.#sizeOf(item), 0);
    return this.#bytes;
  }

  /** Replaces the items of an earlier attempt with an incomplete response. */
  replace(items: Item[]): void {
    this.#items = items;
    this.#bytes = undefined;
  }
}

/** The input of a Query with the items that were read, for observers. */
export interface ReadingQueryInput extends QueryCommandInput {
  read: { readonly bytes: number };
}
