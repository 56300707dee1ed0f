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
  if (count === 0) throw new Rejection('bad_field', 'the reading has no field');
  const time = checkTime(draft, receivedAt, limits);
  checkSize(fields);
  return draft.isHistorical === true ? { time, fields, isHistorical: true } : { time, fields };
}

function checkSize(fields: Fields): void {
  const bytes = valueSize(fields);
  if (bytes <= maxReadingBytes) return;
  throw new Rejection(
    'too_large',
    `the reading has ${bytes} bytes; the maximum is ${maxReadingBytes}`,
  );
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
    throw new Rejection('too_deep', `fields are nested more than ${maxDepth} deep`);
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
      throw new Rejection('bad_number', `field ${quote(path)}: ${value.reason}`);
    } else {
      count += flatten(value, { prefix: `${path}.`, depth: depth + 1 }, fields);
    }
  }
  return count;
}

function addField(name: string, value: FieldValue, fields: Record<string, FieldValue>): void {
  checkNameLength(name);
  if (Object.hasOwn(fields, name)) {
    throw new Rejection(
      'bad_field',
      `two fields are called ${quote(name)} once they are flattened`,
    );
  }
  fields[name] = value;
}

function checkValue(value: unknown, name: string): FieldValue {
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new Rejection('bad_field', `field ${quote(name)} has half of a surrogate pair`);
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
    throw new Rejection(
      'bad_time',
      `${timeName} must be ISO-8601 with an offset, or epoch seconds or milliseconds`,
    );
  }
  // Independent of the limits: keys hold no other times.
  if (milliseconds < earliestInstant || milliseconds > latestInstant) {
    throw new Rejection('bad_time', `${timeName} is outside the years 0000 to 9999`);
  }
  if (milliseconds > receivedAt + limits.maxAheadMs) {
    throw new Rejection('bad_time', `${timeName} is too far ahead: ${iso(milliseconds)}`);
  }
  if (milliseconds < receivedAt - limits.maxAgeMs) {
    throw new Rejection('bad_time', `${timeName} is too long ago: ${iso(milliseconds)}`);
  }
  return milliseconds;
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
