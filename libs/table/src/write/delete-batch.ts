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
 * Deletes the items of at most 25 different keys, whether or not they exist. Deletions that DynamoDB does not process
 * (unprocessed, throttled, in conflict with a transaction) are retried, with backoff, until DynamoDB processes them or
 * the signal aborts.
 * @throws Problem `table-unavailable`, the signal's reason
 */
export async function deleteBatch(
  { client, tableName, signal: abortSignal }: DeleteBatchOptions,
  keys: readonly Key[],
): Promise<void> {
  let remaining: WriteRequest[] = keys.map((key) => ({
    DeleteRequest: { Key: keyAttributes(key) },
  }));
  for (let failures = 0; remaining.length > 0;) {
    abortSignal?.throwIfAborted();
    const command = new BatchWriteItemCommand({ RequestItems: { [tableName]: remaining } });
    const requested = remaining.length;
    try {
      const { UnprocessedItems = {} } = await client.send(command, { abortSignal });
      remaining = UnprocessedItems[tableName] ?? [];
    } catch (error) {
      abortSignal?.throwIfAborted();
      if (!isTemporary(error)) throw translate(error, true);
    }
    if (remaining.length === 0) return;
    failures = remaining.length < requested ? 1 : failures + 1;
    await delay(backoff(failures), undefined, { signal: abortSignal });
  }
}

function isTemporary(error: unknown): boolean {
  const kind = errorKindOf(error);
  return kind === 'throttled' || kind === 'conflict';
}
