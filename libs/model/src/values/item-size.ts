import { Decimal } from './decimal.ts';

/** A value that a document of the table may contain, as plain JavaScript. */
export type DocumentValue =
  | string
  | number
  | boolean
  | null
  | Decimal
  | Uint8Array
  | DocumentValue[]
  | { [name: string]: DocumentValue };

export type Document = Record<string, DocumentValue>;

/** Overhead in bytes of a list or map, and of each of its elements. */
const containerOverhead = 3;
const elementOverhead = 1;

/**
 * Size of an item in bytes, for DynamoDB's 400 KB limit and for write units (developer guide, "DynamoDB item sizes and
 * formats").
 */
export function itemSize(item: Readonly<Record<string, unknown>>): number {
  let size = 0;
  for (const [name, value] of Object.entries(item)) {
    if (value !== undefined) size += textSize(name) + valueSize(value);
  }
  return size;
}

/** Bytes of one value. */
export function valueSize(value: unknown): number {
  if (typeof value === 'string') return textSize(value);
  if (typeof value === 'number') return numberSize(String(value));
  if (value === null || typeof value === 'boolean') return 1;
  if (value instanceof Decimal) return numberSize(value.digits);
  if (value instanceof Uint8Array) return value.byteLength;
  if (Array.isArray(value)) return listSize(value);
  return mapSize(value as Readonly<Record<string, unknown>>);
}

function listSize(values: readonly unknown[]): number {
  let size = containerOverhead;
  for (const value of values) size += elementOverhead + valueSize(value);
  return size;
}

function mapSize(map: Readonly<Record<string, unknown>>): number {
  let size = containerOverhead;
  for (const name of Object.keys(map)) {
    size += textSize(name) + elementOverhead + valueSize(map[name]);
  }
  return size;
}

/** A byte for each two significant digits, one more for the exponent, and one for the sign of a negative number. */
function numberSize(literal: string): number {
  let [digits, trailingZeros] = [0, 0];
  for (let index = 0; index < literal.length; index++) {
    const code = literal.charCodeAt(index);
    if (code === codeOf.e || code === codeOf.E) break;
    if (code < codeOf.zero || code > codeOf.nine) continue;
    if (digits > 0 || code !== codeOf.zero) digits += 1;
    trailingZeros = code === codeOf.zero ? trailingZeros + 1 : 0;
  }
  const significant = Math.max(0, digits - trailingZeros);
  return Math.ceil(significant / 2) + 1 + (literal.startsWith('-') ? 1 : 0);
}

const codeOf = { zero: 0x30, nine: 0x39, E: 0x45, e: 0x65 };

function textSize(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
