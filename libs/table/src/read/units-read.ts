import { maxPageBytes, minReadUnits } from '../limits.ts';
import { itemSize } from '@engawa/model';
import { started } from '../items/charged-part.ts';
import type { Document } from '@engawa/model';

/** What counts as a row of a Query that only counts; most are smaller. */
const countedBytes = 1024;

/** Units of what takes least; to see all that was written before costs twice as much. */
export function leastRead(isConsistent: boolean | undefined): number {
  return isConsistent === true ? minReadUnits.consistent : minReadUnits.eventuallyConsistent;
}

/** Units of a Query that read so many bytes: they are added up first. */
export function unitsOfPage(bytes: number, isConsistent: boolean | undefined): number {
  return leastRead(isConsistent) * started('read', bytes);
}

/** Units of single items: each for itself, also those that were asked for and are not there. */
export function unitsOfEach(
  asked: number,
  items: readonly Document[],
  isConsistent: boolean | undefined,
): number {
  const begun = items.reduce((sum, item) => sum + started('read', itemSize(item)), 0);
  return leastRead(isConsistent) * (begun + Math.max(0, asked - items.length));
}

/** Bytes of rows that were only counted, taken for larger than they will be: a limit must hold. */
export function bytesCounted(count: number): number {
  return Math.min(maxPageBytes, count * countedBytes);
}
