import { MalformedResponse } from '../client/response-check.ts';
import { idOfItem } from '../items/item-id.ts';
import type { ReturnConsumedCapacity, WriteRequest } from '@aws-sdk/client-dynamodb';
import type { RequestSender } from '../client/request-sender.ts';
import type { BatchWriteInput } from './batch-write-input.ts';
import type { PendingPut } from './pending-put.ts';

const operation = 'BatchWriteItem';

export interface BatchWriteClientOptions {
  tableName: string;
  /** Makes one attempt of each request. */
  sender: RequestSender;
  /** `ReturnConsumedCapacity` of each request. */
  capacity: ReturnConsumedCapacity | undefined;
  maxRequestBytes: number | undefined;
}

/**
 * BatchWriteItem with items that are already JSON, so that an unprocessed item is sent again without being serialized
 * again.
 */
export class BatchWriteClient {
  /** Maximum bytes of a request, unless it has only one item; undefined for the default. */
  readonly maxRequestBytes: number | undefined;
  readonly #options: BatchWriteClientOptions;

  constructor(options: BatchWriteClientOptions) {
    this.#options = options;
    this.maxRequestBytes = options.maxRequestBytes;
  }

  /**
   * @returns the ids of the puts that DynamoDB returned unprocessed
   * @throws an error like the SDK's
   */
  async send(puts: readonly PendingPut[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { sender, capacity } = this.#options;
    const input: BatchWriteInput = { puts, ReturnConsumedCapacity: capacity };
    const body = this.#body(puts);
    const output = await sender.send({ operation, index: 'table', input, body, signal });
    return unprocessedIds(puts, output);
  }

  #body(puts: readonly PendingPut[]): string {
    const { tableName, capacity } = this.#options;
    const items = puts.map(({ json }) => `{"PutRequest":{"Item":${json}}}`).join();
    const detail = capacity === undefined ? '' : `,"ReturnConsumedCapacity":"${capacity}"`;
    return `{"RequestItems":{"${tableName}":[${items}]}${detail}}`;
  }
}

const none: ReadonlySet<string> = new Set();

/** By table; hostile, so that a request may be of another kind than was sent. */
type UnprocessedItems = Record<string, readonly (WriteRequest | null)[]>;

/** @throws MalformedResponse where an unprocessed item is none of the request */
function unprocessedIds(puts: readonly PendingPut[], output: object): ReadonlySet<string> {
  const { UnprocessedItems = {} } = output as { UnprocessedItems?: UnprocessedItems };
  const requests = Object.values(UnprocessedItems).flat();
  if (requests.length === 0) return none;
  const unprocessed = new Set(requests.map((request) => idOfItem(request?.PutRequest?.Item ?? {})));
  const known = puts.filter(({ id }) => unprocessed.has(id));
  if (known.length === unprocessed.size) return unprocessed;
  throw new MalformedResponse('it returns items that were not sent');
}
