import { idOfItem } from '../items/item-id.ts';
import type { BatchWriteItemCommandOutput, ReturnConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { DirectClient } from '../client/direct-client.ts';
import type { AttemptObserver } from '../heat/observe-attempts.ts';
import type { Availability } from '../observe/availability.ts';
import type { RequestTracer } from '../observe/trace.ts';
import type { BatchWriteInput } from './batch-write-input.ts';
import type { PendingPut } from './pending-put.ts';

const operation = 'BatchWriteItem';

export interface BatchWriteClientOptions {
  tableName: string;
  direct: DirectClient;
  /** `ReturnConsumedCapacity` of each request. */
  capacity: ReturnConsumedCapacity | undefined;
  tracer: RequestTracer;
  availability: Availability;
  attempts: AttemptObserver;
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
   * One attempt, without retries.
   * @returns the ids of the puts that DynamoDB returned unprocessed
   * @throws an error like the SDK's
   */
  async send(puts: readonly PendingPut[], signal: AbortSignal): Promise<Set<string>> {
    const { capacity, direct, tracer, availability, attempts } = this.#options;
    const input: BatchWriteInput = { puts, ReturnConsumedCapacity: capacity };
    const attempt = async () => {
      const output = await direct.send(operation, this.#body(puts), {
        signal,
        onAddress: (address) => tracer.sendingTo(address),
      });
      return { output };
    };
    const observed = () => attempts.observe({ operation, index: 'table', input }, attempt);
    try {
      const { output } = await tracer.trace(operation, input, () =>
        direct.bounded(observed, signal),
      );
      return unprocessedIds(output);
    } catch (error) {
      availability.failed(operation, error);
      throw error;
    }
  }

  #body(puts: readonly PendingPut[]): string {
    const { tableName, capacity } = this.#options;
    const items = puts.map(({ json }) => `{"PutRequest":{"Item":${json}}}`).join();
    const detail = capacity === undefined ? '' : `,"ReturnConsumedCapacity":"${capacity}"`;
    return `{"RequestItems":{"${tableName}":[${items}]}${detail}}`;
  }
}

function unprocessedIds(output: object): Set<string> {
  const { UnprocessedItems = {} } = output as Partial<BatchWriteItemCommandOutput>;
  const requests = Object.values(UnprocessedItems).flat();
  return new Set(requests.map(({ PutRequest }) => idOfItem(PutRequest?.Item ?? {})));
}
