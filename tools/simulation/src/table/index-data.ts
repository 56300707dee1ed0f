import { compareIndexed } from '@engawa/dynamodb-simulator/rules';
import { DueQueue } from './due-queue.ts';
import { Partitions } from './partitions.ts';
import type { IndexPosition, IndexedItem } from '@engawa/dynamodb-simulator/rules';
import type { SortedList } from './sorted-list.ts';

interface Change {
  before: IndexedItem | undefined;
  after: IndexedItem | undefined;
}

/** The items of an index, which follows the table with a delay, and shows the changes of each item in order. */
export class IndexData {
  readonly #rows = new Partitions<IndexPosition, IndexedItem>(compareIndexed);
  readonly #pending = new DueQueue<Change>();
  /** Time until which changes of an item are pending, by the item's key. */
  readonly #pendingUntil = new Map<string, number>();

  /** @param due time at which the index shows the change, milliseconds of the model's clock */
  change(change: Change, now: number, due: number): void {
    const { key } = change.after ?? change.before ?? {};
    if (key === undefined) return;
    this.#advance(now);
    const name = this.#pending.size === 0 && due <= now ? '' : JSON.stringify(key);
    const until = Math.max(due, this.#pendingUntil.get(name) ?? 0);
    if (until <= now) {
      this.#apply(change);
      return;
    }
    this.#pendingUntil.set(name, until);
    this.#pending.add(until, change);
  }

  /** @param now milliseconds of the model's clock */
  partition(partition: string, now: number): SortedList<IndexPosition, IndexedItem> | undefined {
    this.#advance(now);
    return this.#rows.get(partition);
  }

  #advance(now: number): void {
    if (this.#pending.size === 0) return;
    for (let next = this.#pending.take(now); next !== undefined; next = this.#pending.take(now)) {
      this.#apply(next.content);
    }
    if (this.#pending.size === 0) this.#pendingUntil.clear();
  }

  #apply({ before, after }: Change): void {
    if (before !== undefined) this.#rows.delete(before);
    if (after !== undefined) this.#rows.set(after);
  }
}
