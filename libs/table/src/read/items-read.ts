import { itemSize } from '@engawa/model';
import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { Document } from '@engawa/model';

/** The items of one response. */
export class ItemsRead {
  #items: Document[] = [];
  #bytes: number | undefined;

  get items(): Document[] {
    return this.#items;
  }

  /**
   * Total size by DynamoDB's count. The first call walks through all items: needed only where units are not reported.
   */
  get bytes(): number {
    this.#bytes ??= this.#items.reduce((sum, item) => sum + itemSize(item), 0);
    return this.#bytes;
  }

  /** Replaces the items of an earlier attempt with an incomplete response. */
  replace(items: Document[]): void {
    this.#items = items;
    this.#bytes = undefined;
  }
}

/** The input of a Query with the items that were read, for observers. */
export interface ReadingQueryInput extends QueryCommandInput {
  read: ItemsRead;
}
