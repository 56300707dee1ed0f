import { Decimal } from '@engawa/model';
import type { Reading } from '@engawa/model';

/* Estimated bytes of heap of readings that are not durable. The measurements are in intake/memory-weight.ts. */
export const perReading = 200;
const perField = 100;
const perCharacter = 10;

/**
 * Bytes of a parked parcel: nothing waits for it and no request is in flight, so only readings and key are held.
 * Measured (test/parked-heap.test.ts, Node 24) with a reading of one number, which is estimated at 1,300 bytes: 845
 * bytes in a group of its own, as blocks are that were read back; 353 bytes in a group of many. The rest is for the key
 * of a long device id.
 */
const perParkedParcel = 1000;
const perParkedCharacter = 2;

/** Nesting levels that are weighed; more deeply nested fields are refused. */
const maxDepth = 32;

/** Weight of readings that are parked and held in memory. */
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
