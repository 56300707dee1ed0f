import { setTimeout as delay } from 'node:timers/promises';
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { backoff } from '../client/backoff.ts';
import { projectionInput } from './query-request.ts';
import { translate } from '../client/translate-error.ts';
import { unitsOfEach } from './units-read.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Key } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { Path } from '../items/expression.ts';

export interface GetBatchOptions {
  documents: DynamoDBDocumentClient;
  tableName: string;
  consistent?: boolean | undefined;
  fields?: readonly Path[] | undefined;
  signal?: AbortSignal | undefined;
}

export interface Batch {
  /** Those that are there, in no order. */
  items: Document[];
  /** Read units that it took; estimated where they are not reported. */
  units: number;
}

/**
 * The items of at most 100 different keys. What DynamoDB leaves out (at 16 MB, or throttled in part) is asked for again
 * until all of it has been answered or the signal aborts.
 */
export async function getBatch(options: GetBatchOptions, keys: readonly Key[]): Promise<Batch> {
  const { documents, tableName, consistent: ConsistentRead, signal: abortSignal, fields } = options;
  const asked = { ConsistentRead, ...projectionInput(fields) };
  const batch: Batch = { items: [], units: 0 };
  let left: Record<string, unknown>[] = keys.map(({ pk, sk }) => ({ pk, sk }));
  for (let failures = 0; left.length > 0;) {
    const command = new BatchGetCommand({
      RequestItems: { [tableName]: { Keys: left, ...asked } },
    });
    const before = left.length;
    const output = await documents.send(command, { abortSignal }).catch((error: unknown) => {
      abortSignal?.throwIfAborted();
      throw translate(error, false);
    });
    const items = (output.Responses?.[tableName] ?? []) as Document[];
    batch.items.push(...items);
    left = output.UnprocessedKeys?.[tableName]?.Keys ?? [];
    const reported = output.ConsumedCapacity?.map(({ CapacityUnits = 0 }) => CapacityUnits) ?? [];
    batch.units +=
      reported.length > 0
        ? reported.reduce((sum, units) => sum + units, 0)
        : unitsOfEach(before - left.length, items, ConsistentRead);
    if (left.length === 0) break;
    failures = left.length < before ? 1 : failures + 1;
    await delay(backoff(failures), undefined, { signal: abortSignal });
  }
  return batch;
}
