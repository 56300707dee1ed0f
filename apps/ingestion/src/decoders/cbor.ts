import { decode, Tokenizer, Type } from 'cborg';
import { UnfitNumber } from '@engawa/model';
import { Rejection } from '../refusals/rejection.ts';
import { UnfitValue } from '../refusals/unfit-value.ts';
import { exact, uniqueFields } from './quantities.ts';
import { notFinite } from './reading-json.ts';
import type { DecodeOptions, TagDecodeControl } from 'cborg';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes of the largest integer that the table stores (below 10^126). */
const maxIntegerBytes = 53;

/**
 * Whether the payload is an array, a map or a tagged value of CBOR (RFC 8949, 3.1, major types 4 to 6). No JSON text
 * begins with such a byte, so the format is known without parsing.
 */
export function isCbor(payload: Uint8Array): boolean {
  const [first = 0] = payload;
  return first >= 0x80 && first < 0xe0;
}

/**
 * Decodes CBOR to the same values as JSON of the same content, with exact numbers.
 * @throws Rejection when the payload is not CBOR, or contains a value that a reading cannot hold
 */
export function decodeCbor(payload: Uint8Array): unknown {
  try {
    const options = { useMaps: true, allowBigInt: true, retainStringBytes: true, tags };
    const value: unknown = decode(payload, {
      ...options,
      tokenizer: new ExactText(payload, options),
    });
    return plain(value);
  } catch (error) {
    if (error instanceof Rejection) throw error;
    // By name: the error of a library may be of another realm.
    if ((error as Error).name === 'RangeError') {
      throw new Rejection('payload-too-deep');
    }
    throw new Rejection('payload-unreadable', { message: (error as Error).message });
  }
}

/** The library replaces invalid UTF-8; here it is an error. */
class ExactText extends Tokenizer {
  override next(): ReturnType<Tokenizer['next']> {
    const token = super.next();
    if (Type.equals(token.type, Type.string) && token.byteValue !== undefined) {
      token.value = utf8.decode(token.byteValue);
    }
    return token;
  }
}

/** RFC 8949, 3.4. Dates stay as they are written: text, or seconds. */
const tags: DecodeOptions['tags'] = {
  0: (content) => content(),
  1: (content) => content(),
  2: (content) => bigInteger(content(), 1n),
  3: (content) => bigInteger(content(), -1n),
  4: decimalFraction,
  55799: (content) => content(),
};

function bigInteger(bytes: unknown, sign: 1n | -1n): unknown {
  if (!(bytes instanceof Uint8Array)) throw new Error('a big number that has no bytes');
  const digits = Buffer.from(bytes)
    .toString('hex')
    .replace(/^(00)+/, '');
  if (digits.length > 2 * maxIntegerBytes) {
    return new UnfitNumber('a number out of range: its magnitude must be below 1E+126');
  }
  const magnitude = BigInt(`0x0${digits}`);
  return sign === 1n ? magnitude : -1n - magnitude;
}

function decimalFraction(content: TagDecodeControl): unknown {
  const parts = content();
  const pair: unknown[] = Array.isArray(parts) && parts.length === 2 ? parts : [];
  const [exponent, mantissa] = pair;
  if (mantissa instanceof UnfitNumber) return mantissa;
  const whole = typeof mantissa === 'bigint' || Number.isInteger(mantissa);
  if (!whole || !Number.isSafeInteger(exponent)) throw new Error('not a decimal fraction');
  return exact(`${BigInt(mantissa as number | bigint)}e${exponent as number}`);
}

/** @throws RangeError when the value is nested more deeply than the stack allows */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return exact(String(value));
  if (typeof value === 'number') {
    return Number.isFinite(value) ? exact(String(value)) : notFinite();
  }
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return uniqueFields(Array.from(value, plainEntry));
  if (value instanceof Uint8Array) return new UnfitValue('field-bytes');
  // A break in place of a value.
  if (typeof value === 'symbol') throw new Error('it ends where a value should be');
  return value;
}

function plainEntry([key, value]: [unknown, unknown]): [string, unknown] {
  if (typeof key === 'string') return [key, plain(value)];
  return [String(key), new UnfitValue('field-name-not-text', { attribute: typeof key })];
}
