import { identityOf } from './reading.ts';
import { runSlicedWork } from '../values/sliced-work.ts';
import type { Reading } from './reading.ts';
import type { SlicedWork } from '../values/sliced-work.ts';

/**
 * In order of time, each reading once. Readings of the same moment are in the order of receipt: that of their blocks,
 * and in a block, or where no block is known, the given order. Of equal readings the last one stays, so that the last
 * state that a device sent is the last one.
 */
export function sortedUnique(readings: readonly Reading[]): Reading[] {
  return isAscending(readings) ? [...readings] : runSlicedWork(sortInSlices(readings));
}

/**
 * `sortedUnique` in slices. The identity is expensive, so it is computed only for equal times: a message may contain
 * thousands of readings without a time, which all get the time of receipt.
 */
export function* sortInSlices(readings: readonly Reading[]): SlicedWork<Reading[]> {
  const sorted = readings.toSorted(compareReceipt);
  yield readings.length / 10;
  const unique: Reading[] = [];
  for (let start = 0, end = 0; start < sorted.length; start = end) {
    const first = sorted[start];
    if (first === undefined) break; // a gap, of which there is none
    end = start + 1;
    while (sorted[end]?.time === first.time) end += 1;
    if (end - start === 1) unique.push(first);
    else for (const reading of yield* lastOfEach(sorted.slice(start, end))) unique.push(reading);
  }
  return unique;
}

/** By time, then by the order of receipt of their blocks. */
export function compareReceipt(left: Reading, right: Reading): number {
  if (left.time !== right.time) return left.time - right.time;
  const [a = '', b = ''] = [left.order, right.order];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether the readings are in order of time, and no two of one moment: then each is there once. */
function isAscending(readings: readonly Reading[]): boolean {
  for (let index = 1; index < readings.length; index++) {
    const [before, after] = [readings[index - 1], readings[index]];
    if (before === undefined || after === undefined || after.time <= before.time) return false;
  }
  return true;
}

/** Readings of one moment, each once. */
function* lastOfEach(readings: readonly Reading[]): SlicedWork<Reading[]> {
  const found = new Set<string>();
  const last: Reading[] = [];
  for (const reading of readings.toReversed()) {
    const identity = identityOf(reading);
    if (!found.has(identity)) last.push(reading);
    found.add(identity);
    yield 1 + identity.length / 20;
  }
  return last.reverse();
}
