import { itemSize } from '@engawa/model';
import { partitionsOf } from '../items/charged-part.ts';
import { idOfKey } from '../items/item-id.ts';
import { marshalJson } from '../items/marshal.ts';
import { maxItemBytes, maxPartitionKeyBytes, maxSortKeyBytes } from '../limits.ts';
import { ItemRejected } from '../errors/write-errors.ts';
import { unmarshal } from '../items/unmarshal.ts';
import type { Document } from '@engawa/model';
import type { SpanContext } from '@opentelemetry/api';
import type { ChargedPart } from '../items/charged-part.ts';
import type { TableItem } from './write-request.ts';

export interface PutOptions {
  /**
   * `wait` (the default): the item waits for however long DynamoDB throttles its partition key. `reject`: the call is
   * rejected with KeyThrottled as soon as DynamoDB returns the item for that, or at once when the item would have to wait
   * in the queue of a throttled key. It waits all the same while the whole table is throttled (`throttlesAll`) or
   * requests fail, since any other key would have to wait, too.
   */
  whenThrottled?: 'wait' | 'reject';
  /** Spans of what the item was made of; the span of the batch that stores it is linked to them. */
  origins?: readonly SpanContext[] | undefined;
}

/** One call that waits for an item to be durable. */
export interface PutCaller extends PutOptions {
  whenThrottled: 'wait' | 'reject';
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** An item on its way to the table. */
export interface PendingPut extends ChargedPart {
  /** Of the table's key: different for different keys. */
  readonly id: string;
  readonly pk: string;
  /** The item in DynamoDB's JSON, and how many bytes that takes. */
  readonly json: string;
  readonly bytes: number;
  /** All calls that put exactly this content; a put without callers is not sent. */
  callers: PutCaller[];
}

/** @throws ItemRejected, for whatever is wrong with the item that can be seen before DynamoDB sees it; nothing else */
export function pendingPut(item: TableItem): PendingPut {
  try {
    return checkedPut(item);
  } catch (error) {
    if (error instanceof ItemRejected) throw error;
    // A property that throws, a text that is longer than a text may be: whatever it is, no retry changes it.
    throw new ItemRejected('invalid', 'the item cannot be written as JSON', error);
  }
}

function checkedPut(item: TableItem): PendingPut {
  const { pk, sk } = item;
  checkKey('pk', pk, maxPartitionKeyBytes);
  checkKey('sk', sk, maxSortKeyBytes);
  const json = marshalJson(item);
  const bytes = Buffer.byteLength(json);
  const size = sizeOnce(json);
  // The JSON is never shorter than what DynamoDB counts, so only of a long one the size must be known.
  if (bytes > maxItemBytes && size() > maxItemBytes) {
    throw new ItemRejected('too_large', 'the item is larger than 400 KB');
  }
  return {
    id: idOfKey({ pk, sk }),
    pk,
    json,
    bytes,
    partitions: partitionsOf('write', {
      pk,
      gsi1pk: textIn(item, 'gsi1pk'),
      gsi2pk: textIn(item, 'gsi2pk'),
    }),
    mayHaveUnknownIndexKeys: false,
    size,
    callers: [],
  };
}

function checkKey(name: string, key: unknown, maxBytes: number): asserts key is string {
  if (typeof key !== 'string' || key === '' || Buffer.byteLength(key) > maxBytes) {
    throw new ItemRejected('invalid', `${name} must be a text of 1 to ${maxBytes} bytes`);
  }
}

function textIn(item: TableItem, field: 'gsi1pk' | 'gsi2pk'): string | undefined {
  const value = field in item ? (item as Readonly<Document>)[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Of an item that is not kept but as JSON; what is throttled is so again and again. */
function sizeOnce(json: string): () => number {
  let size: number | undefined;
  return () => (size ??= itemSize(unmarshal(JSON.parse(json) as Record<string, object>)));
}
