import { setTimeout as delay } from 'node:timers/promises';
import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { backoff } from '../client/backoff.ts';
import { translate } from '../client/translate-error.ts';
import { errorKindOf } from '../errors/dynamo-error.ts';
import { keyAttributes } from '../items/item-id.ts';
import type { DynamoDBClient, WriteRequest } from '@aws-sdk/client-dynamodb';
import type { Key } from '@engawa/keys';

export interface DeleteBatchOptions {
  client: DynamoDBClient;
  tableName: string;
  signal?: AbortSignal | undefined;
}

/**
 * Deletes the items of at most 25 different keys, whether or not they are there. What DynamoDB does not take now (given
 * back, throttled, in conflict with a transaction) is sent again until it is gone or the signal aborts.
 * @throws Problem `table-unavailable`, the signal's reason
 */
export async function deleteBatch(
  { client, tableName, signal: abortSignal }: DeleteBatchOptions,
  keys: readonly Key[],
): Promise<void> {
  let left: WriteRequest[] = keys.map((key) => ({ DeleteRequest: { Key: keyAttributes(key) } }));
  for (let failures = 0; left.length > 0;) {
    abortSignal?.throwIfAborted();
    const command = new BatchWriteItemCommand({ RequestItems: { [tableName]: left } });
    const before = left.length;
    try {
      const { UnprocessedItems = {} } = await client.send(command, { abortSignal });
      left = UnprocessedItems[tableName] ?? [];
    } catch (error) {
      abortSignal?.throwIfAborted();
      if (!mayPass(error)) throw translate(error, true);
    }
    if (left.length === 0) return;
    failures = left.length < before ? 1 : failures + 1;
    await delay(backoff(failures), undefined, { signal: abortSignal });
  }
}

function mayPass(error: unknown): boolean {
  const kind = errorKindOf(error);
  return kind === 'throttled' || kind === 'conflict';
}
