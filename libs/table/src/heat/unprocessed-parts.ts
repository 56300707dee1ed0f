import { idOfItem } from '../items/item-id.ts';
import { unitsBySize } from '../items/charged-part.ts';
import { maxBatchGetBytes, unitBytes } from '../limits.ts';
import type {
  BatchGetItemCommandOutput,
  BatchWriteItemCommandOutput,
} from '@aws-sdk/client-dynamodb';
import type { RequestCharges } from '../items/charged-part.ts';
import type { ConsumedUnits } from './consumed-units.ts';

/** The output of BatchWriteItem or BatchGetItem. */
export interface BatchOutput {
  UnprocessedItems?: BatchWriteItemCommandOutput['UnprocessedItems'];
  UnprocessedKeys?: BatchGetItemCommandOutput['UnprocessedKeys'];
}

/** A BatchGetItem response from this size on counts as full: more than one item below the limit at which it ends. */
const fullResponseBytes = maxBatchGetBytes - 1024 * 1024;

/** The ids of the unprocessed parts; undefined where DynamoDB processed all. */
export function unprocessedParts(output: BatchOutput): Set<string> | undefined {
  const { UnprocessedItems = {}, UnprocessedKeys = {} } = output;
  const items = Object.values(UnprocessedItems).flat();
  const keys = Object.values(UnprocessedKeys).flatMap(({ Keys = [] }) => Keys);
  if (items.length + keys.length === 0) return undefined;
  const ofItems = items.map(({ PutRequest, DeleteRequest }) =>
    idOfItem(PutRequest?.Item ?? DeleteRequest?.Key ?? {}),
  );
  return new Set([...ofItems, ...keys.map(idOfItem)]);
}

/** Whether BatchGetItem left keys unprocessed because its response was full, which is not throttling. */
export function isFullResponse(
  charges: RequestCharges,
  consumed: readonly ConsumedUnits[],
): boolean {
  const { unit, minUnits, parts } = charges;
  if (unit !== 'read') return false;
  const units =
    consumed.length > 0
      ? consumed.reduce((sum, one) => sum + one.units, 0)
      : parts.reduce((sum, part) => sum + unitsBySize(part, charges), 0);
  return (units / minUnits) * unitBytes.read >= fullResponseBytes;
}
