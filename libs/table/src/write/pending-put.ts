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
   * `wait` (the default): the item waits as long as DynamoDB throttles its partition key. `reject`:
   * the call rejects with KeyThrottled once DynamoDB throttles the item, or at once if the item
   * would wait in the queue of a throttled key. It still waits while the whole table is throttled
   * (`throttlesAll`) or requests fail, which delays every other key as well.
   */
  whenThrottled?: 'wait' | 'reject';
  /** Trace spans that led to the item; the trace span of the batch that stores it is linked to them. */
  origins?: readonly SpanContext[] | undefined;
}

/** One call that waits until an item is durable. */
export interface PutCaller extends PutOptions {
  whenThrottled: 'wait' | 'reject';
  resolve: () => void;
  reject: (error: unknown) => void;
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
  const json = marshalJson(item);
  const bytes = Buffer.byteLength(json);
  const size = sizeOnce(json);
  // The JSON is never shorter than the item's size, so the size is computed only for long JSON.
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

/** Item size, computed once: a throttled item needs it repeatedly. */
function sizeOnce(json: string): () => number {
  let size: number | undefined;
  return () => (size ??= itemSize(unmarshal(JSON.parse(json) as Record<string, object>)));
}
