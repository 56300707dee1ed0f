import { earliestInstant, latestInstant } from '@engawa/keys';
import { Decimal, maxBlockBytes, parseTime, UnfitNumber, valueSize } from '@engawa/model';
import { checkName, checkNameLength, quote } from '../refusals/field-name.ts';
import { Rejection } from '../refusals/rejection.ts';
import type { FieldValue, Reading } from '@engawa/model';
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
  const fields = new Map<string, FieldValue>();
  flatten(draft.fields, [], fields);
  if (fields.size === 0) throw new Rejection('bad_field', 'the reading has no field');
  const reading = {
    time: checkTime(draft, receivedAt, limits),
    fields: Object.fromEntries(fields),
    ...(draft.isHistorical === true && { isHistorical: true }),
  };
  const bytes = valueSize(reading.fields);
  if (bytes > maxReadingBytes) {
    throw new Rejection(
      'too_large',
      `the reading has ${bytes} bytes; the maximum is ${maxReadingBytes}`,
    );
  }
  return reading;
}

function flatten(value: unknown, path: readonly string[], fields: Map<string, FieldValue>): void {
  if (typeof value !== 'object' || value === null || value instanceof Decimal) {
    addField(path.join('.'), checkValue(value, path), fields);
    return;
  }
  if (value instanceof UnfitNumber) {
    throw new Rejection('bad_number', `field ${quote(path.join('.'))}: ${value.reason}`);
  }
  if (path.length >= maxDepth) {
    throw new Rejection('too_deep', `fields are nested more than ${maxDepth} deep`);
  }
  for (const [name, inner] of Object.entries(value)) {
    checkName(name);
    flatten(inner, [...path, name], fields);
  }
}

function addField(name: string, value: FieldValue, fields: Map<string, FieldValue>): void {
  checkNameLength(name);
  if (fields.has(name)) {
    throw new Rejection(
      'bad_field',
      `two fields are called ${quote(name)} once they are flattened`,
    );
  }
  fields.set(name, value);
}

function checkValue(value: unknown, path: readonly string[]): FieldValue {
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new Rejection('bad_field', `field ${quote(path.join('.'))} has half of a surrogate pair`);
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
