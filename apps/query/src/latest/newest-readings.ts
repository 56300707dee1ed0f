import { blockReadings, newestOf, sortedUnique } from '@engawa/model';
import { isExpired } from '../readings/is-expired.ts';
import { compareCorrected } from '../corrections/overlay.ts';
import type { BlockItem, Reading } from '@engawa/model';
import type { CorrectedReading, Overlay } from '../corrections/overlay.ts';

export interface FetchedBlocks {
  /** A device's newest blocks, newest first. */
  blocks: readonly BlockItem[];
  /** Whether it has no others. */
  complete: boolean;
  limit: number;
  /** The corrections of the device. */
  overlay: Overlay;
  /** Epoch milliseconds. */
  now: number;
}

const always = { from: -Infinity, to: Infinity };

/**
 * The newest readings in these blocks, newest first, each once: as many as asked for, or as are certain to be the
 * newest. What has not been looked at ends with or before the block where the looking stopped, so readings of later than
 * that are; among those of the same moment may be one that comes first. Blocks are opened one by one: with sixty readings in
 * each, the first has all that is asked for.
 */
export function newestReadings(fetched: FetchedBlocks): Reading[] {
  const { blocks, complete, limit, overlay, now } = fetched;
  const found: Reading[] = [];
  const added = overlay.added(always);
  let certain: Reading[] = complete ? added : [];
  for (const [index, block] of blocks.entries()) {
    if (!isExpired(block, now)) {
      for (const reading of blockReadings(block)) {
        if (overlay.fieldsOf(reading) !== undefined) found.push(reading);
      }
    }
    const isLast = index === blocks.length - 1;
    if (!isLast && found.length < limit) continue;
    const horizon = isLast && complete ? -Infinity : newestOf(blocks[index + 1] ?? block);
    certain = corrected(found, overlay, added).filter(({ time }) => time > horizon);
    if (certain.length >= limit) break;
  }
  return certain.toReversed().slice(0, limit);
}

/** In order of time, each once; the usual device has nothing to correct. */
function corrected(
  found: readonly Reading[],
  overlay: Overlay,
  added: readonly CorrectedReading[],
): CorrectedReading[] {
  if (overlay.isEmpty) return sortedUnique(found);
  const kept = sortedUnique(found).flatMap((reading) => overlay.apply(reading) ?? []);
  return added.length === 0 ? kept : [...kept, ...added].sort(compareCorrected);
}
