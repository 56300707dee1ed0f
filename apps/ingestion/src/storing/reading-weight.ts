import { Decimal } from '@engawa/model';
import type { Reading } from '@engawa/model';

/*
 * Bytes of heap that readings take while they are not durable. Measured: see intake/memory-weight.ts.
 */
export const perReading = 200;
const perField = 100;
const perCharacter = 10;

/**
 * Of a parcel whose readings are parked: nobody waits for them and no request is under way, only they and their key are held. Measured
 * (test/parked-heap.test.ts, Node 24) with one reading of one number, for which 1,300 bytes are said here: 845 bytes as a group of its
 * own, which blocks are that were read back; 353 in a group of many. The rest is for the key of a long device id.
 */
const perParkedParcel = 1000;
const perParkedCharacter = 2;

/** Levels that are looked into: what is nested more deeply is refused anyway. */
const maxDepth = 32;

/** Of readings that are parked, and kept in memory until their own key takes them. */
export function parkedWeight(readings: readonly Reading[]): number {
  return readings.reduce(
    (sum, { fields }) => sum + perReading + fieldsWeight(fields, perParkedCharacter),
    perParkedParcel,
  );
}

/** @param characterWeight bytes of heap of a character in a value */
export function fieldsWeight(fields: object, characterWeight = perCharacter, depth = 0): number {
  let weight = 0;
  for (const value of Object.values(fields)) {
    weight += perField;
    if (typeof value === 'string') weight += value.length * characterWeight;
    else if (value instanceof Decimal) weight += value.digits.length * characterWeight;
    else if (typeof value === 'object' && value !== null && depth < maxDepth) {
      weight += fieldsWeight(value as object, characterWeight, depth + 1);
    }
  }
  return weight;
}
