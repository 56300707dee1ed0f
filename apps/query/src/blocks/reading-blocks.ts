import { isBlockItem } from '@engawa/model';
import type { BlockItem } from '@engawa/model';

/** The reading blocks among items of a device. */
export function blocksAmong(items: readonly object[]): BlockItem[] {
  return items.filter(isBlockItem);
}
