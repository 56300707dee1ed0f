import type { Reading } from '@engawa/model';

/** Values that are summarised in one turn of the event loop: some milliseconds of a whole CPU. */
const valuesPerTurn = 4000;

/** Slices of readings in order of time, without those of one moment in two of them. */
export function* readingSlices(readings: readonly Reading[]): Generator<readonly Reading[], void> {
  let start = 0;
  let values = 0;
  for (const [index, { time, fields }] of readings.entries()) {
    if (values >= valuesPerTurn && time !== readings[index - 1]?.time) {
      yield readings.slice(start, index);
      [start, values] = [index, 0];
    }
    values += Object.keys(fields).length;
  }
  yield readings.slice(start);
}
