import type { Reading } from '@engawa/model';
import type { ReadingChunk } from '../aggregates/scan-readings.ts';
import type { TimeRange } from '../readings/merge-blocks.ts';
import type { Overlay } from './overlay.ts';

/** The chunks of a scan of the range, corrected, with the readings that stand in the place of others. */
export async function* correctedChunks(
  chunks: AsyncIterable<ReadingChunk>,
  overlay: Overlay,
  range: TimeRange,
): AsyncGenerator<ReadingChunk> {
  if (overlay.isEmpty) {
    yield* chunks;
    return;
  }
  let added: readonly Reading[] = overlay.added(range);
  let retention: number | undefined;
  for await (const chunk of chunks) {
    retention = chunk.retention;
    const last = chunk.readings.at(-1)?.time;
    const kept = chunk.readings.flatMap((reading) => overlay.apply(reading) ?? []);
    // All of a moment come together, so those added to it have to be in the same chunk.
    const due = last === undefined ? [] : added.filter(({ time }) => time <= last);
    added = added.slice(due.length);
    yield { readings: inOrder(kept, due), retention };
  }
  if (added.length > 0) yield { readings: added, retention };
}

function inOrder(readings: readonly Reading[], added: readonly Reading[]): readonly Reading[] {
  if (added.length === 0) return readings;
  return [...readings, ...added].sort((left, right) => left.time - right.time);
}
