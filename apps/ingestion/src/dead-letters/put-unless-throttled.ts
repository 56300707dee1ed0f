import { KeyThrottled } from '@engawa/table';
import type { BatchWriter, TableItem, PutOptions } from '@engawa/table';

/** @returns whether the item is durable; false, without waiting, if DynamoDB throttles its partition key */
export async function putUnlessThrottled(
  writer: BatchWriter,
  item: TableItem,
  options?: Pick<PutOptions, 'origins'>,
): Promise<boolean> {
  try {
    await writer.put(item, { ...options, whenThrottled: 'reject' });
    return true;
  } catch (error) {
    if (error instanceof KeyThrottled) return false;
    throw error;
  }
}
