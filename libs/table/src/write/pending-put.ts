import { itemSize } from '@engawa/model';
import { partitionsOf } from '../items/charged-part.ts';
import { idOfKey } from '../items/item-id.ts';
import { marshalJson } from '../items/marshal-json.ts';
import { maxItemBytes, maxPartitionKeyBytes, maxSortKeyBytes } from '../limits.ts';
import { ItemRejected } from '../errors/write-errors.ts';
import { unmarshal } from '../items/unmarshal.ts';
import type { Partition } from '@engawa/heat';
import type { Document } from '@engawa/model';
import type { SpanContext } from '@opentelemetry/api';
import type { ChargedPart } from '../items/charged-part.ts';
import type { TableItem } from './write-request.ts';

export interface PutOptions {
  /**
   * `wait` (the default): the item waits as long as DynamoDB throttles its partition key. `reject`:
   * the call rejects with KeyThrottled once DynamoDB throttles the item, or at once if the item
   * would wait in the queue of a throttled key. It still waits while the whole table is throttled
   * (`throttlesAll`) or requests fail, which delays every other key as well.
   */
  whenThrottled?: 'wait' | 'reject';
  /** Trace spans that led to the item; the trace span of the batch that stores it is linked to them. */
  origins?: readonly SpanContext[] | undefined;
}

/** Waits until an item is durable. Must not throw. */
export interface PutCaller extends PutOptions {
  readonly whenThrottled: 'wait' | 'reject';
  resolve(): void;
  reject(error: unknown): void;
}

/** An item that is not yet durable. */
export interface PendingPut extends ChargedPart {
  /** `idOfKey` of the item. */
  readonly id: string;
  readonly pk: string;
  /** The item in DynamoDB's JSON, and its length in bytes. */
  readonly json: string;
  readonly bytes: number;
  /** The calls that put exactly this content; a put without callers is not sent. */
  callers: PutCaller[];
  /** Requests with this item that failed as a whole. */
  failures: number;
}

/** @throws ItemRejected for every error that can be detected before the request; nothing else */
export function pendingPut(item: TableItem): PendingPut {
  try {
    return checkedPut(item);
  } catch (error) {
    if (error instanceof ItemRejected) throw error;
    // A getter that throws, a string beyond V8's maximum: no retry can help.
    throw new ItemRejected('invalid', 'the item cannot be written as JSON', error);
  }
}

function checkedPut(item: TableItem): PendingPut {
  const { pk, sk } = item;
  checkKey('pk', pk, maxPartitionKeyBytes);
  checkKey('sk', sk, maxSortKeyBytes);
  const put = new ItemPut(item, idOfKey({ pk, sk }), marshalJson(item));
  // The JSON is never shorter than the item's size, so the size is computed only for long JSON.
  if (put.bytes > maxItemBytes && put.size() > maxItemBytes) {
    throw new ItemRejected('too_large', 'the item is larger than 400 KB');
  }
  return put;
}

class ItemPut implements PendingPut {
  readonly id: string;
  readonly pk: string;
  readonly json: string;
  readonly bytes: number;
  readonly partitions: readonly Partition[];
  readonly mayHaveUnknownIndexKeys = false;
  callers: PutCaller[] = [];
  failures = 0;
  /** Computed once: a throttled item needs it repeatedly. */
  #size: number | undefined;

  constructor(item: TableItem, id: string, json: string) {
    this.id = id;
    this.pk = item.pk as string;
    this.json = json;
    this.bytes = Buffer.byteLength(json);
    this.partitions = partitionsOf('write', {
      pk: this.pk,
      gsi1pk: textIn(item, 'gsi1pk'),
      gsi2pk: textIn(item, 'gsi2pk'),
    });
  }

  size(): number {
    this.#size ??= itemSize(unmarshal(JSON.parse(this.json) as Record<string, object>));
    return this.#size;
  }
}

function checkKey(name: string, key: unknown, maxBytes: number): asserts key is string {
  const isKey = typeof key === 'string' && key !== '' && isWithin(key, maxBytes);
  if (!isKey) {
    throw new ItemRejected('invalid', `${name} must be a text of 1 to ${maxBytes} bytes`);
  }
}

function isWithin(text: string, maxBytes: number): boolean {
  // A UTF-16 unit has at most three bytes in UTF-8.
  return text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes;
}

function textIn(item: TableItem, field: 'gsi1pk' | 'gsi2pk'): string | undefined {
  const value = field in item ? (item as Readonly<Document>)[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}
