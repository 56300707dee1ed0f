import { itemSize } from '@engawa/model';
import { partitionsOf } from './heat/part.ts';
import { marshalJson } from './marshal.ts';
import { ItemRefused } from './refusals.ts';
import { unmarshalJson } from './unmarshal-json.ts';
import type { Document } from '@engawa/model';
import type { Part } from './heat/part.ts';
import type { Attributes } from './marshal.ts';
import type { JsonAttributes } from './unmarshal-json.ts';
import type { Item } from './write.ts';

/** Bytes; developer guide, "Service quotas": item size. */
const largestItem = 400 * 1024;

/** An item on its way to the table. */
export interface PendingPut extends Part {
  /** Of the table's key: different for different keys. */
  readonly id: string;
  readonly pk: string;
  /** The item in DynamoDB's JSON, and how many bytes that takes. */
  readonly json: string;
  readonly bytes: number;
  readonly stored: PromiseWithResolvers<void>;
  /** A later put with the same key and other content. */
  next?: PendingPut;
}

/** @throws ItemRefused when it can be seen from here that DynamoDB would not take it */
export function pendingPut(item: Item): PendingPut {
  const { pk, sk } = item;
  if (typeof pk !== 'string' || typeof sk !== 'string' || pk === '' || sk === '') {
    throw new ItemRefused('invalid', 'pk and sk must be texts that are not empty');
  }
  const json = marshalJson(item);
  const bytes = Buffer.byteLength(json);
  // The JSON is never shorter than what DynamoDB counts, so only of a long one the size must be known.
  if (bytes > largestItem && itemSize({ ...item }) > largestItem) {
    throw new ItemRefused('too_large', 'the item is larger than 400 KB');
  }
  return {
    id: putId(pk, sk),
    pk,
    json,
    bytes,
    partitions: partitionsOf('write', {
      pk,
      gsi1pk: textIn(item, 'gsi1pk'),
      gsi2pk: textIn(item, 'gsi2pk'),
    }),
    isOpen: false,
    size: sizeOnce(json),
    stored: Promise.withResolvers(),
  };
}

function textIn(item: Item, field: 'gsi1pk' | 'gsi2pk'): string | undefined {
  const value = field in item ? (item as Readonly<Document>)[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Of an item that is not kept but as JSON; what is throttled is so again and again. */
function sizeOnce(json: string): () => number {
  let size: number | undefined;
  return () => (size ??= itemSize(unmarshalJson(JSON.parse(json) as JsonAttributes)));
}

export function putId(pk: string, sk: string): string {
  return `${pk.length} ${pk}${sk}`;
}

/** The same of an item, or of its key, in DynamoDB's form. */
export function idOf({ pk, sk }: Attributes): string {
  return putId(pk?.S ?? '', sk?.S ?? '');
}

/** Everything that is not stored yet. Of one key only one put is under way, because DynamoDB refuses a batch with two. */
export class PendingPuts {
  readonly #puts = new Set<PendingPut>();
  /** The last put of each key. */
  readonly #latest = new Map<string, PendingPut>();

  get size(): number {
    return this.#puts.size;
  }

  /**
   * @returns the put that stands for this one, which is an earlier one of the same content where there is one, and
   * whether it is to be sent now: not if it joined another or has to wait for one to be settled
   */
  add(put: PendingPut): { put: PendingPut; isNext: boolean } {
    const earlier = this.#latest.get(put.id);
    if (earlier?.json === put.json) return { put: earlier, isNext: false };
    this.#puts.add(put);
    this.#latest.set(put.id, put);
    if (earlier === undefined) return { put, isNext: true };
    earlier.next = put;
    return { put, isNext: false };
  }

  /** Call it when a put is stored or refused. @returns the put of the same key whose turn it now is */
  settle(put: PendingPut): PendingPut | undefined {
    this.#puts.delete(put);
    if (put.next === undefined) this.#latest.delete(put.id);
    return put.next;
  }

  /** Forgets everything. @returns what was pending */
  clear(): PendingPut[] {
    const puts = [...this.#puts];
    this.#puts.clear();
    this.#latest.clear();
    return puts;
  }
}
