import { earliestInstant, latestInstant } from '@engawa/keys';
import { Decimal, maxBlockBytes, parseTime, valueSize } from '@engawa/model';
import { Rejection } from '../refusals/rejection.ts';
import { FlatFields } from './flat-fields.ts';
import type { Fields, Reading } from '@engawa/model';
import type { Draft } from '../decoders/decoder.ts';
import type { RefusalCode } from '../refusals/refusal-texts.ts';

/** Bytes of a reading: a block must hold it, with its key and other attributes. */
const maxReadingBytes = maxBlockBytes - 4096;
export interface TimeLimits {
  /** Maximum age of a reading when it is received. */
  maxAgeMs: number;
  /** Maximum time by which a reading may be ahead of its receipt. */
  maxAheadMs: number;
}

/**
 * Checks a draft and converts it to a reading. Nested fields get one name, their parts joined by dots. A value that
 * cannot be stored is left out.
 * @param receivedAt epoch milliseconds; the time of a reading without a time
 * @param flat has the values that the reading lacks, until the next call
 * @returns undefined if all values that can be stored have been stored before (`storedFields` of the draft)
 * @throws Rejection with the part that is invalid, if nothing of the draft can be stored
 */
export function checkReading(
  draft: Draft,
  receivedAt: number,
  limits: TimeLimits,
  flat = flatFields(),
): Reading | undefined {
  if (draft.rejection !== undefined) throw draft.rejection;
  const fields = flat.flatten(draft.fields);
  const { isHistorical, storedFields } = draft;
  if (flat.count === 0 && storedFields === undefined) {
    throw flat.leftOut?.rejection ?? new Rejection('reading-without-field');
  }
  const time = checkTime(draft, receivedAt, limits);
  if (storedFields !== undefined) {
    for (const name of storedFields) flat.delete(name);
    if (flat.count === 0) return undefined;
  }
  checkSize(fields);
  return isHistorical === true ? { time, fields, isHistorical: true } : { time, fields };
}

/** For drafts that are checked one after the other. */
export function flatFields(): FlatFields {
  return new FlatFields(maxReadingBytes);
}

function checkSize(fields: Fields): void {
  const bytes = valueSize(fields);
  if (bytes <= maxReadingBytes) return;
  throw new Rejection('reading-too-large', { bytes, max: maxReadingBytes });
}

function checkTime(draft: Draft, receivedAt: number, limits: TimeLimits): number {
  const { time, timeName = 'ts' } = draft;
  if (time === undefined) return receivedAt;
  // Times have millisecond precision, which a double holds; further digits do not matter.
  const plain = time instanceof Decimal ? Number(time.digits) : time;
  const milliseconds =
    plain instanceof Date
      ? plain.getTime()
      : typeof plain === 'string' || typeof plain === 'number'
        ? parseTime(plain)
        : undefined;
  if (milliseconds === undefined || Number.isNaN(milliseconds)) {
    throw new Rejection(unreadableTime(plain), { attribute: timeName });
  }
  // Independent of the limits: keys hold no other times.
  if (milliseconds < earliestInstant || milliseconds > latestInstant) {
    throw new Rejection('time-out-of-years', { attribute: timeName });
  }
  if (milliseconds > receivedAt + limits.maxAheadMs) {
    throw new Rejection('time-ahead', { attribute: timeName, time: iso(milliseconds) });
  }
  if (milliseconds < receivedAt - limits.maxAgeMs) {
    throw new Rejection('time-long-ago', { attribute: timeName, time: iso(milliseconds) });
  }
  return milliseconds;
}

const localTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?$/i;
/** Seconds since 2001, up to nanoseconds. */
const epochText = /^\d{10,19}(\.\d+)?$/;

/** Why a value is no time. */
function unreadableTime(value: unknown): RefusalCode {
  if (typeof value !== 'string') return 'time-not-readable';
  if (localTime.test(value)) return 'time-without-offset';
  return epochText.test(value) ? 'time-epoch-in-text' : 'time-not-readable';
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
