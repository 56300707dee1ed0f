import { blockReadings, compareReceipt, newestOf, sortedUnique } from '@engawa/model';
import { isExpired } from '../blocks/is-expired.ts';
import type { ProjectedBlock, Reading } from '@engawa/model';
import type { CorrectedReading, Overlay } from '../corrections/overlay.ts';

export interface FetchedBlocks {
  /** Newest first. */
  blocks: readonly ProjectedBlock[];
  /** Whether these are all blocks of the device. */
  complete: boolean;
  limit: number;
  /** The corrections of the device. */
  overlay: Overlay;
  /** Epoch milliseconds: earlier corrections are not known; -Infinity where all are. */
  knownFrom: number;
  /** Epoch milliseconds. */
  now: number;
}

/**
 * The newest readings of these blocks, newest first, without duplicates: as many as requested, or
 * as are certain to be the newest. Blocks that were not opened end at or before the next block's
 * time, so only later readings are certain; of that very moment, another reading may come first.
 * Blocks are opened one by one: with sixty readings each, the first one usually suffices.
 */
export function newestReadings(fetched: FetchedBlocks): Reading[] {
  const { blocks, complete, limit, overlay, knownFrom, now } = fetched;
  const usual = overlay.isEmpty && knownFrom === -Infinity ? disjoint(fetched) : undefined;
  if (usual !== undefined) return usual;
  const found: Reading[] = [];
  const added = overlay.added({ from: knownFrom, to: Infinity });
  let certain: Reading[] = complete ? added : [];
  for (const [index, block] of blocks.entries()) {
    if (!isExpired(block, now)) {
      for (const reading of blockReadings(block)) {
        const isKnown = reading.time >= knownFrom;
        if (isKnown && overlay.fieldsOf(reading) !== undefined) found.push(reading);
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

/**
 * The usual case, without sorting: each block ends before the next newer one begins. Undefined in other cases, and
 * where too few readings are certain.
 */
function disjoint({ blocks, complete, limit, now }: FetchedBlocks): Reading[] | undefined {
  const found: Reading[] = [];
  for (const [index, block] of blocks.entries()) {
    if (!isExpired(block, now)) {
      for (const reading of blockReadings(block).reverse()) {
        const later = found.at(-1);
        if (later !== undefined && reading.time >= later.time) return undefined;
        found.push(reading);
      }
    }
    const last = found[limit - 1];
    if (last === undefined) continue;
    const next = blocks[index + 1];
    if (next === undefined ? complete : last.time > newestOf(next)) return found.slice(0, limit);
  }
  return complete ? found.slice(0, limit) : undefined;
}

/** In order of time, without duplicates; most devices have no corrections. */
function corrected(
  found: readonly Reading[],
  overlay: Overlay,
  added: readonly CorrectedReading[],
): CorrectedReading[] {
  if (overlay.isEmpty) return sortedUnique(found);
  const kept = sortedUnique(found).flatMap((reading) => overlay.apply(reading) ?? []);
  return added.length === 0 ? kept : [...kept, ...added].sort(compareReceipt);
}
