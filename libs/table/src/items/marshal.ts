import { Decimal } from '@engawa/model';
import { maxNestingDepth, minNumberMagnitude, numberMagnitudeBound } from '../limits.ts';
import { ItemRejected } from '../errors/write-errors.ts';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** An item in DynamoDB's form: each value tagged with its type. */
export type Attributes = Record<string, AttributeValue>;

type EncodeBinary = (bytes: Uint8Array) => Uint8Array;

/**
 * A document in DynamoDB's form. Properties that are `undefined` are omitted. The SDK's marshaller does not support
 * Decimal and is slower (docs/adr/0008).
 * @throws ItemRejected for values that DynamoDB cannot store: NaN, infinity, a lone surrogate, a function, more than 32
 * levels
 */
export function marshal(document: object): Attributes {
  return marshalMap(document, keepBytes, 0);
}

/** `marshal` as the JSON of a request. */
export function marshalJson(document: object): string {
  // Binary values are base64 text in JSON; the cast lets one function serve both forms.
  return JSON.stringify(marshalMap(document, toBase64 as unknown as EncodeBinary, 0));
}

/** @param depth number of lists and maps around this one */
function marshalMap(map: object, encode: EncodeBinary, depth: number): Attributes {
  const values = map as Readonly<Record<string, unknown>>;
  const attributes: Attributes = {};
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (value === undefined) continue;
    if (name === '__proto__')
      throw new ItemRejected('invalid', 'the field name __proto__ is not allowed');
    attributes[wellFormed(name)] = marshalValue(value, encode, depth);
  }
  return attributes;
}

function marshalValue(value: unknown, encode: EncodeBinary, depth: number): AttributeValue {
  if (typeof value === 'string') return { S: wellFormed(value) };
  if (typeof value === 'number') return { N: numberLiteral(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (value instanceof Decimal) return { N: value.digits };
  if (value instanceof Uint8Array) return { B: encode(value) };
  if (typeof value === 'object') {
    // The check also ends the recursion for a document that contains itself.
    if (depth === maxNestingDepth)
      throw new ItemRejected('invalid', `more than ${maxNestingDepth} nested levels`);
    if (Array.isArray(value)) return { L: marshalList(value, encode, depth + 1) };
    return { M: marshalMap(value, encode, depth + 1) };
  }
  throw new ItemRejected('invalid', `a value of type ${typeof value} cannot be stored`);
}

function marshalList(
  list: readonly unknown[],
  encode: EncodeBinary,
  depth: number,
): AttributeValue[] {
  const values: AttributeValue[] = [];
  // Unlike `map`, this does not skip holes.
  for (const element of list) values.push(marshalValue(element, encode, depth));
  return values;
}

function numberLiteral(value: number): string {
  const magnitude = Math.abs(value);
  const fits = value === 0 || (magnitude >= minNumberMagnitude && magnitude < numberMagnitudeBound);
  if (!fits) throw new ItemRejected('invalid', `DynamoDB cannot store the number ${value}`);
  return String(value);
}

function wellFormed(text: string): string {
  if (!text.isWellFormed()) throw new ItemRejected('invalid', 'a text has a lone surrogate');
  return text;
}

function keepBytes(bytes: Uint8Array): Uint8Array {
  return bytes;
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
