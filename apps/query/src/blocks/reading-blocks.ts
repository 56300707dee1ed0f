import { isBlockItem } from '@engawa/model';
import type { ProjectedBlock } from '@engawa/model';

/** The reading blocks among items of a device. */
export function blocksAmong(items: readonly object[]): ProjectedBlock[] {
  return items.filter(isBlockItem);
}
