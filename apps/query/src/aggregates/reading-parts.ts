import { blockRange, latestInstant } from '@engawa/keys';
import { newestOf, readingPartitions } from '@engawa/model';
import { blocksAmong } from '../blocks/reading-blocks.ts';
import { oneDay, oneHour, partsOf, runsOf } from './summary-ranges.ts';
import { correctedChunks } from './corrected-chunks.ts';
import { scanReadings } from './scan-readings.ts';
import type { Overlay } from '../corrections/overlay.ts';
import type { ReadingChunk, ScanOptions } from './scan-readings.ts';
import type { TimeRange } from '../time-range.ts';
import type { SummaryRange } from './summary-ranges.ts';

/** A long range is read in parts of 8 days, several concurrently: one is summed up while another is on its way. */
const partMs = 8 * oneDay;

/** Parts from which on the first reading is searched: a part costs a Query of each shard, as the search does. */
const enoughParts = 4;

type PartScan = Omit<ScanOptions, 'from' | 'to'> & { overlay: Overlay };

/** The parts of readings that are read by themselves, in order of time. */
export function readingParts(ranges: readonly SummaryRange[]): TimeRange[] {
  return runsOf(ranges, oneHour - 1).flatMap((run) => partsOf(run, partMs));
}

/**
 * Returns a function that reads a part, with its corrections: no stored readings before the first one.
 * @param scan of the device; `overlay` has its corrections
 */
export async function chunksOfParts(
  parts: readonly TimeRange[],
  { overlay, ...scan }: PartScan,
): Promise<(part: TimeRange) => AsyncGenerator<ReadingChunk>> {
  const first = await firstReadingIn(parts, scan);
  return (part) => {
    const stored = first < part.to ? scanReadings({ ...scan, ...part }) : [];
    return correctedChunks(stored, overlay, part);
  };
}

/**
 * A time (epoch milliseconds) before which the parts have no reading, by the first block of each shard: Infinity
 * without any, -Infinity for few parts, where it would cost as much as it saves.
 */
async function firstReadingIn(
  parts: readonly TimeRange[],
  { table, device, budget, signal }: Pick<ScanOptions, 'table' | 'device' | 'budget' | 'signal'>,
): Promise<number> {
  const [from, to] = [parts[0]?.from, parts.at(-1)?.to];
  if (from === undefined || to === undefined || parts.length < enoughParts) return -Infinity;
  const span = device.span * 1000;
  const end = Math.min(to + span, latestInstant);
  const pages = await Promise.all(
    readingPartitions(device, end).map((pk) =>
      table.query({ pk, sk: blockRange(from, end), limit: 1, consistent: true, signal }),
    ),
  );
  for (const { units } of pages) budget.charge(units);
  const first = pages.flatMap(({ items }) => blocksAmong(items).map(newestOf));
  return Math.min(...first) - span;
}
