import { keyOf } from '@engawa/model';
import type { Document } from '@engawa/model';
import type { BatchWriter } from '@engawa/table';

/** @returns whether the item is durable; false, as soon as that is known, when DynamoDB throttles its partition key */
export async function putUnlessThrottled(writer: BatchWriter, item: Document): Promise<boolean> {
  if (writer.isThrottled(keyOf(item).pk)) return false;
  await writer.put(item);
  return true;
}
