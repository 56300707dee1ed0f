import { Decimal } from '@engawa/model';
import { ItemRejected } from '../errors/write-errors.ts';
import { maxNestingDepth, minNumberMagnitude, numberMagnitudeBound } from '../limits.ts';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** An item in DynamoDB's form: each value tagged with its type. */
export type Attributes = Record<string, AttributeValue>;

/**
 * A document in DynamoDB's form. Properties that are `undefined` are omitted. The SDK's marshaller does not support
 * Decimal and is slower (docs/adr/0008).
 * @throws ItemRejected for values that DynamoDB cannot store: NaN, infinity, a lone surrogate, a function, more than 32
 * levels
 */
export function marshal(document: object): Attributes {
  return marshalMap(document, 0);
}

/** @param depth number of lists and maps around this one */
function marshalMap(map: object, depth: number): Attributes {
  const values = map as Readonly<Record<string, unknown>>;
  const attributes: Attributes = {};
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (value !== undefined) attributes[checkedName(name)] = marshalValue(value, depth);
  }
  return attributes;
}

function marshalValue(value: unknown, depth: number): AttributeValue {
  if (typeof value === 'string') return { S: checkedText(value) };
  if (typeof value === 'number') return { N: numberLiteral(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (value instanceof Decimal) return { N: value.digits };
  if (value instanceof Uint8Array) return { B: value };
  if (typeof value !== 'object') throw unsupported(value);
  checkDepth(depth);
  if (Array.isArray(value)) return { L: marshalList(value, depth + 1) };
  return { M: marshalMap(value, depth + 1) };
}

function marshalList(list: readonly unknown[], depth: number): AttributeValue[] {
  const values: AttributeValue[] = [];
  // Unlike `map`, this does not skip holes.
  for (const element of list) values.push(marshalValue(element, depth));
  return values;
}

/** Also ends the recursion for a document that contains itself. */
export function checkDepth(depth: number): void {
  if (depth === maxNestingDepth)
    throw new ItemRejected('invalid', `more than ${maxNestingDepth} nested levels`);
}

export function numberLiteral(value: number): string {
  const magnitude = Math.abs(value);
  const fits = value === 0 || (magnitude >= minNumberMagnitude && magnitude < numberMagnitudeBound);
  if (!fits) throw new ItemRejected('invalid', `DynamoDB cannot store the number ${value}`);
  return String(value);
}

export function checkedName(name: string): string {
  if (name === '__proto__')
    throw new ItemRejected('invalid', 'the field name __proto__ is not allowed');
  return checkedText(name);
}

export function checkedText(text: string): string {
  if (!text.isWellFormed()) throw new ItemRejected('invalid', 'a text has a lone surrogate');
  return text;
}

export function unsupported(value: unknown): ItemRejected {
  return new ItemRejected('invalid', `a value of type ${typeof value} cannot be stored`);
}
