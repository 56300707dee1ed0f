import { contentOf } from './reading.ts';
import { runSteps } from './steps.ts';
import type { Reading } from './reading.ts';
import type { Steps } from './steps.ts';

/** Elements that are sorted, or merged, in one step. */
const stepSize = 1000;
/** What comparing an element costs with all others of its step, in fields. */
const sortCost = 2;

interface Keyed {
  reading: Reading;
  content: string;
}

/**
 * In order of time, each reading once; those of the same moment in the order of their content, so
 * that every reader agrees.
 */
export function sortedUnique(readings: readonly Reading[]): Reading[] {
  return runSteps(sortingSteps(readings));
}

/**
 * The same in steps. The content, which is costly to spell, is looked at only where times are
 * equal, and then once: a message may hold thousands of readings without a time, which all get that
 * of its receipt.
 */
export function* sortingSteps(readings: readonly Reading[]): Steps<Reading[]> {
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

/** Readings of one moment by their content, each once. */
function* sameMoment(readings: readonly Reading[]): Steps<Reading[]> {
  const keyed: Keyed[] = [];
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

/** Runs of a step's size are sorted natively, and merged by pairs until one is left. */
function* mergeSort(keyed: readonly Keyed[]): Steps<Keyed[]> {
  let runs: Keyed[][] = [];
  for (let start = 0; start < keyed.length; start += stepSize) {
    runs.push(keyed.slice(start, start + stepSize).sort(compareContent));
    yield sortCost * Math.min(stepSize, keyed.length - start);
  }
  while (runs.length > 1) {
    const merged: Keyed[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(yield* merge(runs[index] ?? [], runs[index + 1] ?? []));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge(left: readonly Keyed[], right: readonly Keyed[]): Steps<Keyed[]> {
  const merged: Keyed[] = [];
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

function compareContent({ content: left }: Keyed, { content: right }: Keyed): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
