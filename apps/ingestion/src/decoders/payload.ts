import { parseExactJson } from '@engawa/model';
import { Rejection } from '../refusals/rejection.ts';
import { decodeCbor, isCbor } from './cbor.ts';

/** Fatal, because a replaced character would be a changed value. A byte order mark is removed. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws Rejection when the payload is neither JSON in UTF-8 nor CBOR */
export function readPayload(payload: Uint8Array): unknown {
  if (isCbor(payload)) return decodeCbor(payload);
  try {
    return parseExactJson(utf8.decode(payload));
  } catch (error) {
    if (error instanceof RangeError) {
      throw new Rejection('payload-too-deep');
    }
    throw new Rejection('payload-not-json', { message: (error as Error).message });
  }
}

/** @throws Rejection unless the payload is one object with fields */
export function readObject(payload: Uint8Array): Record<string, unknown> {
  const value = readPayload(payload);
  if (isObject(value)) return value;
  throw new Rejection('payload-not-object');
}

/** @throws Rejection when the payload is not UTF-8 */
export function readText(payload: Uint8Array): string {
  try {
    return utf8.decode(payload);
  } catch {
    throw new Rejection('payload-not-text');
  }
}

/** An object of JSON: not an array, and not one of our number classes. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
