import { blockReadings, newestOf, sortedUnique } from '@engawa/model';
import { isExpired } from '../readings/is-expired.ts';
import type { BlockItem, Reading } from '@engawa/model';

export interface FetchedBlocks {
  /** A device's newest blocks, newest first. */
  blocks: readonly BlockItem[];
  /** Whether it has no others. */
  complete: boolean;
  limit: number;
  /** Epoch milliseconds. */
  now: number;
}

/**
 * The newest readings in these blocks, newest first, each once: as many as asked for, or as are certain to be the
 * newest. What has not been looked at ends with or before the block where the looking stopped, so readings of later than
 * that are; among those of the same moment may be one that comes first. Blocks are opened one by one: with sixty readings in
 * each, the first has all that is asked for.
 */
export function newestReadings({ blocks, complete, limit, now }: FetchedBlocks): Reading[] {
  const found: Reading[] = [];
  let certain: Reading[] = [];
  for (const [index, block] of blocks.entries()) {
    if (!isExpired(block, now)) found.push(...blockReadings(block));
    const isLast = index === blocks.length - 1;
    if (!isLast && found.length < limit) continue;
    const horizon = isLast && complete ? -Infinity : newestOf(blocks[index + 1] ?? block);
    certain = sortedUnique(found).filter(({ time }) => time > horizon);
    if (certain.length >= limit) break;
  }
  return certain.toReversed().slice(0, limit);
}
