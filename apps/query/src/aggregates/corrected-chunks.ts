import type { Reading } from '@engawa/model';
import type { ReadingChunk } from './scan-readings.ts';
import type { TimeRange } from '../time-range.ts';
import type { Overlay } from '../corrections/overlay.ts';

/** Applies corrections to the chunks of a scan, and adds replacement readings. */
export async function* correctedChunks(
  chunks: AsyncIterable<ReadingChunk> | readonly ReadingChunk[],
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
    // Readings of one moment must be in one chunk, and so must their replacements.
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
