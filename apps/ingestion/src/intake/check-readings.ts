import { checkReading } from './check-reading.ts';
import { countRefusals, RefusalList, toRefusal } from '../refusals/refusal.ts';
import type { Reading, SlicedWork } from '@engawa/model';
import type { Refusal, IngestResult } from '../refusals/refusal.ts';
import type { DeviceReadings } from './device-readings.ts';
import type { TimeLimits } from './check-reading.ts';

/** The valid drafts as readings, each with the index of its draft, and the refusals of the other drafts. */
export interface CheckedReadings {
  readings: Reading[];
  indexes: number[];
  refusals: RefusalList;
}

/** The part of DeviceReadings that the checks need. */
export type CheckableReadings = Pick<DeviceReadings, 'drafts' | 'receivedAt' | 'onChecked'>;

/**
 * Checks the drafts one by one, as steps for a WorkSlicer; the cost of a step grows with the number of
 * fields.
 */
export function* checkReadings(
  { drafts, receivedAt, onChecked }: CheckableReadings,
  limits: TimeLimits,
): SlicedWork<CheckedReadings> {
  const checked: CheckedReadings = { readings: [], indexes: [], refusals: new RefusalList() };
  for (const [index, draft] of drafts.entries()) {
    let cost = 2;
    try {
      const reading = checkReading(draft, receivedAt, limits);
      checked.readings.push(reading);
      checked.indexes.push(index);
      cost += 2 * Object.keys(reading.fields).length;
    } catch (error) {
      checked.refusals.add({ ...toRefusal(error), index });
    }
    yield cost;
  }
  try {
    if (checked.readings.length > 0) onChecked?.(checked.readings);
    return checked;
  } catch (error) {
    const refusals = new RefusalList();
    refusals.add(toRefusal(error));
    return { readings: [], indexes: [], refusals };
  }
}

/** @param refused readings that passed the checks and were refused later */
export function toIngestResult(
  { readings, refusals }: CheckedReadings,
  refused: readonly Refusal[] = [],
): IngestResult {
  const all = [...refusals.all, ...refused];
  return {
    stored: readings.length - countRefusals(refused),
    refusals: all.sort((a, b) => (a.index ?? Infinity) - (b.index ?? Infinity) || 0),
  };
}
