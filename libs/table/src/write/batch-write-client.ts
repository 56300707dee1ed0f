import { idOfItem } from '../items/item-id.ts';
import type { BatchWriteItemCommandOutput, ReturnConsumedCapacity } from '@aws-sdk/client-dynamodb';
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
}

/**
 * BatchWriteItem with items that are already JSON, so that an unprocessed item is sent again without being serialized
 * again.
 */
export class BatchWriteClient {
  readonly #options: BatchWriteClientOptions;

  constructor(options: BatchWriteClientOptions) {
    this.#options = options;
  }

  /**
   * @returns the ids of the puts that DynamoDB returned unprocessed
   * @throws an error like the SDK's
   */
  async send(puts: readonly PendingPut[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { sender, capacity } = this.#options;
    const input: BatchWriteInput = { puts, ReturnConsumedCapacity: capacity };
    const body = this.#body(puts);
    return unprocessedIds(await sender.send({ operation, index: 'table', input, body, signal }));
  }

  #body(puts: readonly PendingPut[]): string {
    const { tableName, capacity } = this.#options;
    const items = puts.map(({ json }) => `{"PutRequest":{"Item":${json}}}`).join();
    const detail = capacity === undefined ? '' : `,"ReturnConsumedCapacity":"${capacity}"`;
    return `{"RequestItems":{"${tableName}":[${items}]}${detail}}`;
  }
}

const none: ReadonlySet<string> = new Set();

function unprocessedIds(output: object): ReadonlySet<string> {
  const { UnprocessedItems = {} } = output as Partial<BatchWriteItemCommandOutput>;
  if (Object.keys(UnprocessedItems).length === 0) return none;
  const requests = Object.values(UnprocessedItems).flat();
  return new Set(requests.map(({ PutRequest }) => idOfItem(PutRequest?.Item ?? {})));
}
