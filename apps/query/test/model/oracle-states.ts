import { isNumber, scaled, spelled } from './exact.ts';
import type { BucketRange } from './oracle-increase.ts';
import type { AggregatesRequest } from './requests.ts';
import type { StoredReading } from './world.ts';

/** A value of a field as its JSON text, equal for equal values. */
export interface PlainState {
  time: number;
  text: string;
}

/** All values of a field of a device while it was there, in order of time. */
interface StateSeries extends BucketRange {
  values: readonly PlainState[];
}

/** How long a field had each value, in milliseconds, and how often the value changed. */
export interface PlainStates {
  changes: number;
  durations: ReadonlyMap<string, number>;
}

/** By field, also values that are no numbers, and null. */
export function allValuesOf(readings: readonly StoredReading[]): Map<string, PlainState[]> {
  const fields = new Map<string, PlainState[]>();
  const inOrder = readings.toSorted((left, right) => {
    if (left.time !== right.time) return left.time - right.time;
    return left.rank === right.rank ? 0 : left.rank - right.rank;
  });
  for (const { time, values } of inOrder) {
    for (const [name, text] of Object.entries(values)) {
      const known = fields.get(name) ?? [];
      fields.set(name, [...known, { time, text: stateText(text) }]);
    }
  }
  return fields;
}

export function stateText(json: string): string {
  return isNumber(json) ? spelled(scaled(json)) : json;
}

/** By field, of all requested ones. */
export function statesIn(
  { fields = [], states }: AggregatesRequest,
  series: readonly (BucketRange & { values: ReadonlyMap<string, readonly PlainState[]> })[],
  bucket: BucketRange,
  now: number,
): Map<string, PlainStates> {
  const of = (name: string) =>
    series.map(({ from, to, values }) => ({ from, to, values: values.get(name) ?? [] }));
  const names = states.length === 0 ? [] : fields;
  return new Map(names.map((name) => [name, plainStates(of(name), bucket, now)]));
}

/** Over all devices; a value lasts until the next one, the end of the stay, or now. */
function plainStates(all: readonly StateSeries[], bucket: BucketRange, now: number): PlainStates {
  const durations = new Map<string, number>();
  let changes = 0;
  for (const { from, to, values } of all) {
    const begin = Math.max(from, bucket.from);
    const end = Math.min(to, bucket.to, now);
    for (const [index, { time, text }] of values.entries()) {
      if (text === 'null') continue;
      const next = values[index + 1];
      const lasted = Math.min(next?.time ?? Infinity, end) - Math.max(time, begin);
      if (lasted > 0) durations.set(text, (durations.get(text) ?? 0) + lasted);
      const isInside = next !== undefined && next.time >= begin && next.time < end;
      if (isInside && next.text !== 'null' && next.text !== text) changes += 1;
    }
  }
  return { changes, durations };
}
