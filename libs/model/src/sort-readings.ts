import { contentOf } from './reading.ts';
import { runSlicedWork } from './sliced-work.ts';
import type { Reading } from './reading.ts';
import type { SlicedWork } from './sliced-work.ts';

/** Elements that are sorted, or merged, in one step. */
const stepSize = 1000;
/** Cost of the comparisons of an element within its step, in fields. */
const sortCost = 2;

interface KeyedReading {
  reading: Reading;
  content: string;
}

/**
 * In order of time, each reading once; readings of the same moment are in the order of their content, so that every
 * reader has the same order.
 */
export function sortedUnique(readings: readonly Reading[]): Reading[] {
  return isAscending(readings) ? [...readings] : runSlicedWork(sortInSlices(readings));
}

/**
 * `sortReadings` in slices. The canonical content is expensive, so it is computed only for equal times, and once: a
 * message may contain thousands of readings without a time, which all get the time of receipt.
 */
export function* sortInSlices(readings: readonly Reading[]): SlicedWork<Reading[]> {
  const sorted = readings.toSorted((left, right) => left.time - right.time);
  yield readings.length / 10;
  const unique: Reading[] = [];
  for (let start = 0, end = 0; start < sorted.length; start = end) {
    const first = sorted[start];
    if (first === undefined) break; // a gap, of which there is none
    end = start + 1;
    while (sorted[end]?.time === first.time) end += 1;
    if (end - start === 1) unique.push(first);
    else for (const reading of yield* sameMoment(sorted.slice(start, end))) unique.push(reading);
  }
  return unique;
}

/** Whether the readings are in order of time, and no two of one moment: then each is there once. */
function isAscending(readings: readonly Reading[]): boolean {
  for (let index = 1; index < readings.length; index++) {
    const [before, after] = [readings[index - 1], readings[index]];
    if (before === undefined || after === undefined || after.time <= before.time) return false;
  }
  return true;
}

/** Readings of one moment by their content, each once. */
function* sameMoment(readings: readonly Reading[]): SlicedWork<Reading[]> {
  const keyed: KeyedReading[] = [];
  for (const reading of readings) {
    const content = contentOf(reading);
    keyed.push({ reading, content });
    yield 1 + content.length / 20;
  }
  const sorted = yield* mergeSort(keyed);
  return sorted
    .filter(({ content }, index) => index === 0 || content !== sorted[index - 1]?.content)
    .map(({ reading }) => reading);
}

/** Runs of a step's size are sorted natively, then merged in pairs. */
function* mergeSort(keyed: readonly KeyedReading[]): SlicedWork<KeyedReading[]> {
  let runs: KeyedReading[][] = [];
  for (let start = 0; start < keyed.length; start += stepSize) {
    runs.push(keyed.slice(start, start + stepSize).sort(compareContent));
    yield sortCost * Math.min(stepSize, keyed.length - start);
  }
  while (runs.length > 1) {
    const merged: KeyedReading[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(yield* merge(runs[index] ?? [], runs[index + 1] ?? []));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge(
  left: readonly KeyedReading[],
  right: readonly KeyedReading[],
): SlicedWork<KeyedReading[]> {
  const merged: KeyedReading[] = [];
  let [atLeft, atRight] = [0, 0];
  while (merged.length < left.length + right.length) {
    const [a, b] = [left[atLeft], right[atRight]];
    if (a !== undefined && (b === undefined || compareContent(a, b) <= 0)) {
      merged.push(a);
      atLeft += 1;
    } else if (b !== undefined) {
      merged.push(b);
      atRight += 1;
    }
    if (merged.length % stepSize === 0) yield stepSize / 5;
  }
  return merged;
}

function compareContent({ content: left }: KeyedReading, { content: right }: KeyedReading): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
