import { itemSize } from '@engawa/model';
import { unitsOfBytes } from '../items/charged-part.ts';
import { maxItemBytes, maxPageBytes, minReadUnits } from '../limits.ts';
import type { Document } from '@engawa/model';

/** Assumed size of an item in a counting Query; most items are smaller. */
const assumedItemBytes = 1024;

/** Units of a read of at most 4 KB. */
export function smallestRead(isConsistent: boolean | undefined): number {
  return isConsistent === true ? minReadUnits.consistent : minReadUnits.eventuallyConsistent;
}

/** Units of a page of a Query, for the total size of its items. */
export function unitsOfPage(bytes: number, isConsistent: boolean | undefined): number {
  return smallestRead(isConsistent) * unitsOfBytes('read', bytes);
}

/**
 * The maximum units of a page of at most `limit` items with any content. DynamoDB documents that a page ends at
 * 1 MB; DynamoDB Local ends it after the item that exceeds 1 MB, so the bound includes one more item.
 */
export function maxUnitsOfPage(limit: number, isConsistent = false): number {
  return unitsOfPage(Math.min(limit * maxItemBytes, maxPageBytes + maxItemBytes), isConsistent);
}

/** Units of a BatchGetItem: each item is rounded up separately, and a key without an item takes the minimum. */
export function unitsOfItems(
  requested: number,
  items: readonly Document[],
  isConsistent: boolean | undefined,
): number {
  const units = items.reduce((sum, item) => sum + unitsOfBytes('read', itemSize(item)), 0);
  return smallestRead(isConsistent) * (units + Math.max(0, requested - items.length));
}

/** Assumed size in bytes of items that were only counted: an overestimate, since budgets are limits. */
export function assumedBytes(count: number): number {
  return Math.min(maxPageBytes, count * assumedItemBytes);
}
