import { checkReading } from './check-reading.ts';
import { countRefusals, RefusalList, toRefusal } from '../refusals/refusal.ts';
import type { Reading, SlicedWork } from '@engawa/model';
import type { Refusal, IngestResult } from '../refusals/refusal.ts';
import type { Draft } from '../decoders/decoder.ts';
import type { DeviceReadings } from './device-readings.ts';
import type { IngestCaller } from './ingest-caller.ts';
import type { TimeLimits } from './check-reading.ts';

/** The valid drafts as readings, each with the index of its draft, and the refusals of the other drafts. */
export interface CheckedReadings {
  readings: Reading[];
  indexes: number[];
  /** Undefined where no draft is refused. */
  refusals: RefusalList | undefined;
}

/** The part of DeviceReadings that the checks need. */
export type CheckableReadings = Pick<DeviceReadings, 'drafts' | 'receivedAt'>;

/** The part of their caller that may refuse them. */
export type CheckingCaller = Pick<IngestCaller, 'onChecked'>;

/**
 * Checks the drafts one by one, as steps for a WorkSlicer; the cost of a step grows with the number of
 * fields.
 */
export function* checkReadings(
  { drafts, receivedAt }: CheckableReadings,
  limits: TimeLimits,
  caller: CheckingCaller = {},
): SlicedWork<CheckedReadings> {
  const checked = nothingChecked();
  for (const [index, draft] of drafts.entries()) {
    const reading = checkDraft(checked, draft, index, { receivedAt, limits });
    yield 2 + 2 * Object.keys(reading?.fields ?? {}).length;
  }
  return accepted(checked, caller);
}

/** `checkReadings` at once, for a few drafts. */
export function checkFewReadings(
  { drafts, receivedAt }: CheckableReadings,
  limits: TimeLimits,
  caller: CheckingCaller,
): CheckedReadings {
  const checked = nothingChecked();
  const context = { receivedAt, limits };
  for (let index = 0; index < drafts.length; index++) {
    const draft = drafts[index];
    if (draft !== undefined) checkDraft(checked, draft, index, context);
  }
  return accepted(checked, caller);
}

function nothingChecked(): CheckedReadings {
  return { readings: [], indexes: [], refusals: undefined };
}

/** @returns the reading, if the draft is valid */
function checkDraft(
  checked: CheckedReadings,
  draft: Draft,
  index: number,
  { receivedAt, limits }: { receivedAt: number; limits: TimeLimits },
): Reading | undefined {
  try {
    const reading = checkReading(draft, receivedAt, limits);
    checked.readings.push(reading);
    checked.indexes.push(index);
    return reading;
  } catch (error) {
    checked.refusals ??= new RefusalList();
    checked.refusals.add({ ...toRefusal(error), index });
    return undefined;
  }
}

/** All are refused where the readings together need too much memory. */
function accepted(checked: CheckedReadings, caller: CheckingCaller): CheckedReadings {
  try {
    if (checked.readings.length > 0) caller.onChecked?.(checked.readings);
    return checked;
  } catch (error) {
    const refusals = new RefusalList();
    refusals.add(toRefusal(error));
    return { readings: [], indexes: [], refusals };
  }
}

const noRefusals: readonly Refusal[] = [];

/** @param refused readings that passed the checks and were refused later */
export function toIngestResult(
  { readings, refusals }: CheckedReadings,
  refused: readonly Refusal[] = [],
): IngestResult {
  if (refusals === undefined && refused.length === 0) {
    return { stored: readings.length, refusals: noRefusals };
  }
  const all = [...(refusals?.all ?? noRefusals), ...refused];
  return {
    stored: readings.length - countRefusals(refused),
    refusals: all.sort((a, b) => (a.index ?? Infinity) - (b.index ?? Infinity) || 0),
  };
}
