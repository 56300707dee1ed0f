import {
  attributeOf,
  compareStored,
  isSameIndexed,
  storedItem,
} from '@engawa/dynamodb-simulator/rules';
import { DueQueue } from './due-queue.ts';
import { IndexData } from './index-data.ts';
import { Partitions } from './partitions.ts';
import type {
  AttributeValue,
  Document,
  IndexPosition,
  IndexSchema,
  IndexedItem,
  Item,
  ItemKey,
  StoredItem,
  TablePosition,
  TableSchema,
} from '@engawa/dynamodb-simulator/rules';
import type { SortedList } from './sorted-list.ts';

export interface TableBehaviour {
  /** Determines the order of items with the same sort key in an index. */
  salt: number;
  /** Milliseconds until an index shows a write. */
  indexLagMs: () => number;
  /** Milliseconds between an item's time to live and its deletion; undefined if items do not expire. */
  ttlDelayMs: ((expiresAt: number) => number) | undefined;
}

interface Expiry {
  key: ItemKey;
  ttl: AttributeValue;
}

/** Maximum age of a time to live in milliseconds; older ones are ignored (developer guide, "Time to live"). */
const maxTtlAgeMs = 5 * 365 * 86_400_000;

/** One table with its indexes. All times are milliseconds of the model's clock. */
export class TableData {
  readonly name: string;
  /** The definition of CreateTable, with the changes of UpdateTable. */
  readonly definition: Document;
  readonly createdAt: number;
  #schema: TableSchema;
  readonly #behaviour: TableBehaviour;
  readonly #rows = new Partitions<TablePosition, StoredItem>(compareStored);
  readonly #indexes: IndexData[];
  readonly #expiries = new DueQueue<Expiry>();
  #ttlAttribute: string | undefined;

  constructor(
    schema: TableSchema,
    { definition, createdAt }: { definition: Document; createdAt: number },
    behaviour: TableBehaviour,
  ) {
    this.name = schema.name;
    this.definition = definition;
    this.createdAt = createdAt;
    this.#schema = schema;
    this.#behaviour = behaviour;
    this.#indexes = schema.indexes.map(() => new IndexData());
  }

  get schema(): TableSchema {
    return this.#schema;
  }

  get ttlAttribute(): string | undefined {
    return this.#ttlAttribute;
  }

  find(key: ItemKey): StoredItem | undefined {
    return this.#rows.get(key.partition)?.find(key);
  }

  partition(partition: string): SortedList<TablePosition, StoredItem> | undefined {
    return this.#rows.get(partition);
  }

  indexPartition(
    index: IndexSchema,
    partition: string,
    now: number,
  ): SortedList<IndexPosition, IndexedItem> | undefined {
    return this.#indexes[this.#schema.indexes.indexOf(index)]?.partition(partition, now);
  }

  items(): IteratorObject<Item> {
    return this.#rows.rows().map(({ item }) => item);
  }

  get salt(): number {
    return this.#behaviour.salt;
  }

  /** @param after undefined deletes the item */
  write(key: ItemKey, after: StoredItem | undefined, now: number): void {
    const before = this.find(key);
    if (after !== undefined) this.#rows.set(after);
    else if (before !== undefined) this.#rows.delete(before);
    for (const [number, index] of this.#indexes.entries()) {
      const change = { before: before?.indexed[number], after: after?.indexed[number] };
      if (isSameIndexed(change.before, change.after)) continue;
      index.change(change, now, now + this.#behaviour.indexLagMs());
    }
    if (after !== undefined) this.#expect(after, before, now);
  }

  /** Deletes items whose deletion is due. */
  expire(now: number): void {
    for (let next = this.#expiries.take(now); next; next = this.#expiries.take(now)) {
      const { key, ttl } = next.content;
      if (this.#ttlOf(this.find(key))?.N === ttl.N) this.write(key, undefined, next.due);
    }
  }

  /** @param attribute undefined disables expiry */
  setTimeToLive(attribute: string | undefined, now: number): void {
    this.#ttlAttribute = attribute;
    if (attribute === undefined) return;
    for (const row of this.#rows.rows()) this.#expect(row, undefined, now);
  }

  /** Adds an index with all existing items. */
  addIndex(index: IndexSchema): void {
    this.#schema = { ...this.#schema, indexes: [...this.#schema.indexes, index] };
    const data = new IndexData();
    for (const row of [...this.#rows.rows()]) {
      const again = storedItem(this.#schema, row, row.item, this.salt);
      this.#rows.set(again);
      data.change({ before: undefined, after: again.indexed.at(-1) }, 0, 0);
    }
    this.#indexes.push(data);
  }

  #ttlOf(row: StoredItem | undefined): AttributeValue | undefined {
    return this.#ttlAttribute === undefined
      ? undefined
      : attributeOf(row?.item, this.#ttlAttribute);
  }

  /** Draws the time of the item's deletion, unless its time to live has not changed. */
  #expect(after: StoredItem, before: StoredItem | undefined, now: number): void {
    const { ttlDelayMs } = this.#behaviour;
    const ttl = this.#ttlOf(after);
    if (ttlDelayMs === undefined || ttl?.N === undefined) return;
    if (this.#ttlOf(before)?.N === ttl.N) return;
    const expiresAt = Number(ttl.N) * 1000;
    if (expiresAt < now - maxTtlAgeMs) return;
    const { partition, sort } = after;
    const due = Math.max(now, expiresAt);
    this.#expiries.add(due + ttlDelayMs(due), { key: { partition, sort }, ttl });
  }
}
