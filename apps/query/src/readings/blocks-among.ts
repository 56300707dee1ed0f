import { isBlockItem } from '@engawa/model';
import type { BlockItem } from '@engawa/model';

/** Those of a device's items that are reading blocks. */
export function blocksAmong(items: readonly object[]): BlockItem[] {
  return items.filter(isBlockItem);
}
