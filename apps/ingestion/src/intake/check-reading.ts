import { earliestInstant, latestInstant } from '@engawa/keys';
import { Decimal, maxBlockBytes, parseTime, UnfitNumber, valueSize } from '@engawa/model';
import { checkName, checkNameLength, quote } from '../refusals/field-name.ts';
import { Rejection } from '../refusals/rejection.ts';
import type { Fields, FieldValue, Reading } from '@engawa/model';
import type { Draft } from '../decoders/decoder.ts';

const maxDepth = 32;
/** Bytes of a reading: a block must hold it, with its key and other attributes. */
const maxReadingBytes = maxBlockBytes - 4096;
export interface TimeLimits {
  /** Maximum age of a reading when it is received. */
  maxAgeMs: number;
  /** Maximum time by which a reading may be ahead of its receipt. */
  maxAheadMs: number;
}

/**
 * Checks a draft and converts it to a reading. Nested fields get one name, their parts joined by dots.
 * @param receivedAt epoch milliseconds; the time of a reading without a time
 * @throws Rejection with the part that is invalid
 */
export function checkReading(draft: Draft, receivedAt: number, limits: TimeLimits): Reading {
  if (draft.rejection !== undefined) throw draft.rejection;
  const fields: Record<string, FieldValue> = {};
  const count = flatten(draft.fields, { prefix: '', depth: 0 }, fields);
  if (count === 0) throw new Rejection('reading-without-field');
  const time = checkTime(draft, receivedAt, limits);
  checkSize(fields);
  return draft.isHistorical === true ? { time, fields, isHistorical: true } : { time, fields };
}

function checkSize(fields: Fields): void {
  const bytes = valueSize(fields);
  if (bytes <= maxReadingBytes) return;
  throw new Rejection('reading-too-large', { bytes, max: maxReadingBytes });
}

/** Where in a reading a map of fields is: the beginning of its names, and the number of maps around it. */
interface Place {
  prefix: string;
  depth: number;
}

/** Adds the values of a map. @returns their number */
function flatten(
  map: object,
  { prefix, depth }: Place,
  fields: Record<string, FieldValue>,
): number {
  if (depth >= maxDepth) {
    throw new Rejection('fields-too-deep', { max: maxDepth });
  }
  let count = 0;
  for (const name of Object.keys(map)) {
    checkName(name);
    const value = (map as Readonly<Record<string, unknown>>)[name];
    const path = prefix + name;
    if (typeof value !== 'object' || value === null || value instanceof Decimal) {
      addField(path, checkValue(value, path), fields);
      count += 1;
    } else if (value instanceof UnfitNumber) {
      throw new Rejection('number-unfit', { field: quote(path), message: value.reason });
    } else {
      const inner = flatten(value, { prefix: `${path}.`, depth: depth + 1 }, fields);
      // An empty list or map has no value: null shows that the former values are gone.
      if (inner === 0) addField(path, null, fields);
      count += Math.max(1, inner);
    }
  }
  return count;
}

function addField(name: string, value: FieldValue, fields: Record<string, FieldValue>): void {
  checkNameLength(name);
  if (Object.hasOwn(fields, name)) {
    throw new Rejection('field-twice-flattened', { field: quote(name) });
  }
  fields[name] = value;
}

function checkValue(value: unknown, name: string): FieldValue {
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new Rejection('field-half-pair', { field: quote(name) });
  }
  return value as FieldValue; // JSON has no other scalars
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
    throw new Rejection('time-not-readable', { attribute: timeName });
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

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
