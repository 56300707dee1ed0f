import { KeyThrottled } from '@engawa/table';
import type { BatchWriter, Item } from '@engawa/table';

/** @returns whether the item is durable; false, without waiting, when DynamoDB throttles its partition key */
export async function putUnlessThrottled(writer: BatchWriter, item: Item): Promise<boolean> {
  try {
    await writer.put(item, { whenThrottled: 'reject' });
    return true;
  } catch (error) {
    if (error instanceof KeyThrottled) return false;
    throw error;
  }
}
