import { maxBatchGetBytes, unitBytes } from '../limits.ts';
import { idOf, putId } from '../items/item-id.ts';
import { unitsBySize } from '../items/charged-part.ts';
import type { BatchWriteItemCommandOutput } from '@aws-sdk/client-dynamodb';
import type { BatchGetCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { ConsumedUnits } from './consumed-units.ts';
import type { Charges } from '../items/charged-part.ts';

/** How batches tell what they did not do. */
export interface Answer {
  UnprocessedItems?: BatchWriteItemCommandOutput['UnprocessedItems'];
  /** As the document client has it. */
  UnprocessedKeys?: BatchGetCommandOutput['UnprocessedKeys'];
}

/** From this size on a response of BatchGetItem counts as full: more than one item below the limit at which it ends. */
const fullResponseBytes = maxBatchGetBytes - 1024 * 1024;

/** The ids of the parts that came back; undefined where all was done. */
export function leftOver({ UnprocessedItems, UnprocessedKeys }: Answer): Set<string> | undefined {
  const items = Object.values(UnprocessedItems ?? {}).flat();
  const keys = Object.values(UnprocessedKeys ?? {}).flatMap(({ Keys = [] }) => Keys);
  if (items.length + keys.length === 0) return undefined;
  return new Set([
    ...items.map(({ PutRequest, DeleteRequest }) =>
      idOf(PutRequest?.Item ?? DeleteRequest?.Key ?? {}),
    ),
    ...keys.map(({ pk, sk }) => putId(String(pk), String(sk))),
  ]);
}

/** Whether what is left of a BatchGetItem was left because the answer was full: that is no throttling. */
export function isFull(charges: Charges, consumed: readonly ConsumedUnits[]): boolean {
  const { unit, least, parts } = charges;
  if (unit !== 'read') return false;
  const units =
    consumed.length > 0
      ? consumed.reduce((sum, one) => sum + one.units, 0)
      : parts.reduce((sum, part) => sum + unitsBySize(part, charges), 0);
  return (units / least) * unitBytes.read >= fullResponseBytes;
}
