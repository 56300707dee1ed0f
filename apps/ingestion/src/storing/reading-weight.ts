import { Decimal } from '@engawa/model';
import type { Reading } from '@engawa/model';

/* Estimated bytes of heap of readings that are not durable. The measurements are in intake/memory-weight.ts. */
export const bytesPerReading = 200;
const bytesPerField = 100;
const bytesPerCharacter = 10;

/**
 * Bytes of a parked parcel: nothing waits for it and no request is in flight, so only readings and key are held.
 * Measured (test/parked-heap.test.ts, Node 24) with a reading of one number, which is estimated at 1,300 bytes: 845
 * bytes in a group of its own, as blocks are that were read back; 353 bytes in a group of many. The rest is for the key
 * of a long device id.
 */
const bytesPerParkedParcel = 1000;
const bytesPerParkedCharacter = 2;

/** Nesting levels that are weighed; more deeply nested fields are refused. */
const maxDepth = 32;

/** Weight of readings that are parked and held in memory. */
export function parkedWeight(readings: readonly Reading[]): number {
  return readings.reduce(
    (sum, { fields }) => sum + bytesPerReading + fieldsWeight(fields, bytesPerParkedCharacter),
    bytesPerParkedParcel,
  );
}

/** @param characterBytes bytes of heap of a character in a value */
export function fieldsWeight(
  fields: object,
  characterBytes = bytesPerCharacter,
  depth = 0,
): number {
  let weight = 0;
  for (const name of Object.keys(fields)) {
    const value = (fields as Readonly<Record<string, unknown>>)[name];
    weight += bytesPerField;
    if (typeof value === 'string') weight += value.length * characterBytes;
    else if (value instanceof Decimal) weight += value.digits.length * characterBytes;
    else if (typeof value === 'object' && value !== null && depth < maxDepth) {
      weight += fieldsWeight(value, characterBytes, depth + 1);
    }
  }
  return weight;
}
