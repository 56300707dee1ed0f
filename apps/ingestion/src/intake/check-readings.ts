import { invariant } from '@engawa/errors';
import { tolerableAheadMs } from '@engawa/model';
import { checkReading, flatFields } from './check-reading.ts';
import { countRefusals, RefusalList, toRefusal } from '../refusals/refusal.ts';
import type { ClockAhead, Reading, SlicedWork } from '@engawa/model';
import type { Refusal, IngestResult } from '../refusals/refusal.ts';
import type { Draft } from '../decoders/decoder.ts';
import type { DeviceReadings } from './device-readings.ts';
import type { IngestCaller } from './ingest-caller.ts';
import type { FlatFields } from './flat-fields.ts';
import type { TimeLimits } from './check-reading.ts';

/** The valid drafts as readings, each with the index of its draft, and the refusals of the other drafts. */
export interface CheckedReadings {
  readings: Reading[];
  indexes: number[];
  /** Undefined where no draft is refused. */
  refusals: RefusalList | undefined;
  /** The readings ahead of their receipt by more than a minute; undefined if there are none. */
  ahead?: ClockAhead | undefined;
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
  const context = { receivedAt, limits, flat: flatFields() };
  for (const [index, draft] of drafts.entries()) {
    const reading = checkDraft(checked, draft, index, context);
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
  const context = { receivedAt, limits, flat: flatFields() };
  for (let index = 0; index < drafts.length; index++) {
    const draft = invariant(drafts[index], 'the index is within the drafts');
    checkDraft(checked, draft, index, context);
  }
  return accepted(checked, caller);
}

function nothingChecked(): CheckedReadings {
  return { readings: [], indexes: [], refusals: undefined };
}

interface CheckContext {
  receivedAt: number;
  limits: TimeLimits;
  flat: FlatFields;
}

/** @returns the reading, if the draft is valid and has something that is not stored yet */
function checkDraft(
  checked: CheckedReadings,
  draft: Draft,
  index: number,
  { receivedAt, limits, flat }: CheckContext,
): Reading | undefined {
  try {
    const reading = checkReading(draft, receivedAt, limits, flat);
    if (flat.leftOut !== undefined) {
      const fields = [...(draft.storedFields ?? []), ...Object.keys(reading?.fields ?? {})];
      checked.refusals ??= new RefusalList();
      const isNamed = checked.refusals.addPartial(index, flat.leftOut, fields);
      if (!isNamed) throw flat.leftOut.rejection;
    }
    if (reading === undefined) return undefined;
    if (reading.time > receivedAt + tolerableAheadMs) noteAhead(checked, reading, receivedAt);
    checked.readings.push(reading);
    checked.indexes.push(index);
    return reading;
  } catch (error) {
    checked.refusals ??= new RefusalList();
    checked.refusals.add({ ...toRefusal(error), index });
    return undefined;
  }
}

function noteAhead(checked: CheckedReadings, { time }: Reading, receivedAt: number): void {
  const { readings = 0, ms = 0 } = checked.ahead ?? {};
  const aheadMs = Math.max(ms, time - receivedAt);
  checked.ahead = { readings: readings + 1, ms: aheadMs, at: receivedAt };
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
  const all = [...unlessRefused(refusals?.all ?? noRefusals, refused), ...refused];
  return {
    stored: readings.length - countRefusals(refused),
    refusals: all.sort((a, b) => (a.index ?? Infinity) - (b.index ?? Infinity) || 0),
  };
}

/**
 * Without partial refusals of readings that were refused as a whole later. Where not all of those are named, no partial
 * refusal is certain: a value that a replay stores twice is better than a lost one.
 */
function unlessRefused(
  refusals: readonly Refusal[],
  refused: readonly Refusal[],
): readonly Refusal[] {
  if (refused.length === 0 || !refusals.some(({ partial }) => partial)) return refusals;
  const indexes = new Set(refused.map(({ index }) => index));
  return refusals.filter(({ index, partial }) => {
    return partial === undefined || !(indexes.has(index) || indexes.has(undefined));
  });
}
