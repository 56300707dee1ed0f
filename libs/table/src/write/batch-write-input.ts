import type { ReturnConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { PendingPut } from './pending-put.ts';

/** The input of a batch of prepared items, for observers: the items are in `puts` in place of RequestItems. */
export interface BatchWriteInput {
  puts: readonly PendingPut[];
  ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined;
}
