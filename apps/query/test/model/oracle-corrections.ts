import { unique } from './world.ts';
import type { ModelCorrection, StoredReading, ValuesByField, World } from './world.ts';

/** A reading as it is shown, and as it was: that says in which order it comes. */
export interface CorrectedReading extends StoredReading {
  was: ValuesByField;
}

/** Applies corrections to readings without duplicates, one after the other. */
export function corrected(
  world: World,
  readings: readonly StoredReading[],
  view: 'shown' | 'counted',
): CorrectedReading[] {
  let known = unique(readings).map((reading): CorrectedReading => {
    return { ...reading, was: reading.values };
  });
  for (const correction of world.corrections) {
    const { operation, device, isUndone } = correction;
    if (isUndone || operation === 'reset') continue;
    if (operation === 'ignore' && view === 'shown') continue;
    known = known.flatMap((reading) => hidden(reading, correction));
    for (const { time, values } of unique(correction.readings.map((one) => stored(device, one)))) {
      known.push({ ...stored(device, { time, values }), was: values });
    }
  }
  return known;
}

function stored(device: string, reading: { time: number; values: ValuesByField }): StoredReading {
  return { device, ...reading, expiresAt: Infinity, rank: Infinity };
}

function hidden(reading: CorrectedReading, correction: ModelCorrection): CorrectedReading[] {
  const { device, from, to, fields } = correction;
  if (reading.device !== device || reading.time < from || reading.time >= to) return [reading];
  const entries = Object.entries(reading.values);
  const left = entries.filter(([name]) => fields !== undefined && !fields.includes(name));
  if (left.length === entries.length) return [reading];
  return left.length === 0 ? [] : [{ ...reading, values: Object.fromEntries(left) }];
}

/** Whether the counter of a field was reset after a time and at or before another. */
export function wasReset(world: World, device: string, field: string) {
  const marks = world.corrections.filter(
    (one) =>
      one.operation === 'reset' &&
      !one.isUndone &&
      one.device === device &&
      (one.fields?.includes(field) ?? true),
  );
  return (after: number, until: number) => marks.some(({ from }) => from > after && from <= until);
}
