import { Rejection } from '../refusals/rejection.ts';
import { decodeCbor, isCbor } from './cbor.ts';
import { parseReadingJson } from './reading-json.ts';

/** Fatal, because a replaced character would be a changed value. A byte order mark is removed. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws Rejection when the payload is neither JSON in UTF-8 nor CBOR; names a known cause */
export function readPayload(payload: Uint8Array): unknown {
  if (isCbor(payload)) return decodeCbor(payload);
  try {
    return parseReadingJson(utf8.decode(payload));
  } catch (error) {
    if (error instanceof RangeError) {
      throw new Rejection('payload-too-deep');
    }
    const message = (error as Error).message;
    throw otherFormat(payload) ?? new Rejection('payload-not-json', { message });
  }
}

/**
 * Whether the payload begins as an object of JSON, which may be truncated, or as a map of CBOR. No text in UTF-8 begins
 * with the bytes of a map, or of the tag of self-described CBOR (RFC 8949, 3.4.6).
 */
export function beginsAsObject(payload: Uint8Array): boolean {
  const [first = 0, second] = payload;
  if ((first >= 0xa0 && first < 0xc0) || (first === 0xd9 && second === 0xd9)) return true;
  let index = first === 0xef ? 3 : 0; // a byte order mark has three bytes
  while (isSpace(payload[index])) index += 1;
  return payload[index] === 0x7b;
}

/** White space of JSON (RFC 8259, 2). */
function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** @throws Rejection unless the payload is one object with fields */
export function readObject(payload: Uint8Array): Record<string, unknown> {
  const value = readPayload(payload);
  if (isObject(value)) return value;
  throw new Rejection('payload-not-object');
}

/** The object, for payloads that others may have published; undefined unless it is a complete object. */
export function tryReadObject(payload: Uint8Array): Record<string, unknown> | undefined {
  if (!beginsAsObject(payload)) return undefined;
  try {
    return readObject(payload);
  } catch {
    return undefined;
  }
}

/** @throws Rejection when the payload is not UTF-8 */
export function readText(payload: Uint8Array): string {
  try {
    return utf8.decode(payload);
  } catch {
    throw otherFormat(payload) ?? new Rejection('payload-not-text');
  }
}

/** For a payload that is no JSON in UTF-8: what it is instead, if that is certain. */
function otherFormat(payload: Uint8Array): Rejection | undefined {
  const [first, second] = payload;
  if (first === 0x1f && second === 0x8b) return new Rejection('payload-gzip');
  const hasByteOrderMark =
    (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  // JSON begins with an ASCII character, of which UTF-16 makes two bytes.
  const isWide = payload.length % 2 === 0 && (first === 0) !== (second === 0);
  if (hasByteOrderMark || isWide) return new Rejection('payload-utf-16');
  return payload.at(-1) === 0 ? new Rejection('payload-ends-with-nul') : undefined;
}

/** An object of JSON: not an array, and not one of our number classes. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
