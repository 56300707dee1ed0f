import { checkReading } from './check-reading.ts';
import { countRefusals, RefusalList, toRefusal } from '../refusals/refusal.ts';
import type { Reading, Steps } from '@engawa/model';
import type { Refusal, Verdict } from '../refusals/refusal.ts';
import type { Delivery } from './delivery.ts';
import type { TimeLimits } from './check-reading.ts';

/** The valid readings of a delivery, each with its index in the delivery, and the refusals of the others. */
export interface CheckedReadings {
  readings: Reading[];
  indexes: number[];
  refusals: RefusalList;
}

/** The part of a delivery that the checks need. */
export type CheckableDelivery = Pick<Delivery, 'drafts' | 'receivedAt' | 'onChecked'>;

/**
 * Checks the drafts of a delivery one by one, as steps for a WorkSlicer; the cost of a step grows with the number of
 * fields.
 */
export function* checkReadings(
  { drafts, receivedAt, onChecked }: CheckableDelivery,
  limits: TimeLimits,
): Steps<CheckedReadings> {
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
export function verdictOf(
  { readings, refusals }: CheckedReadings,
  refused: readonly Refusal[] = [],
): Verdict {
  const all = [...refusals.all, ...refused];
  return {
    stored: readings.length - countRefusals(refused),
    refusals: all.sort((a, b) => (a.index ?? Infinity) - (b.index ?? Infinity) || 0),
  };
}
