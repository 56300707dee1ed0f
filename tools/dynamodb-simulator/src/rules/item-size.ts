import { numberBytes } from './decimal.ts';
import { present } from './present.ts';
import type { AttributeValue, Item } from './attribute.ts';

/** Additional bytes per list or map, and per element of a list or map. */
const containerBytes = 3;
const elementBytes = 1;

/** Bytes of an item as DynamoDB counts them (developer guide, "DynamoDB item sizes and formats"). */
export function itemBytes(item: Item): number {
  let bytes = 0;
  for (const name of Object.keys(item)) {
    bytes += textBytes(name) + valueBytes(present(item[name]));
  }
  return bytes;
}

export function valueBytes(value: AttributeValue): number {
  if (value.S !== undefined) return textBytes(value.S);
  if (value.N !== undefined) return numberBytes(value.N);
  if (value.B !== undefined) return binaryBytes(value.B);
  if (value.M !== undefined) {
    return containerBytes + itemBytes(value.M) + elementBytes * Object.keys(value.M).length;
  }
  if (value.L !== undefined) return listBytes(value.L);
  if (value.SS !== undefined) return sum(value.SS, textBytes);
  if (value.NS !== undefined) return sum(value.NS, numberBytes);
  if (value.BS !== undefined) return sum(value.BS, binaryBytes);
  return 1; // BOOL, NULL
}

export function textBytes(text: string): number {
  return Buffer.byteLength(text);
}

/** @param base64 in canonical form */
export function binaryBytes(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}

function listBytes(elements: readonly AttributeValue[]): number {
  return elements.reduce(
    (bytes, element) => bytes + elementBytes + valueBytes(element),
    containerBytes,
  );
}

function sum(members: readonly string[], bytesOf: (member: string) => number): number {
  return members.reduce((bytes, member) => bytes + bytesOf(member), 0);
}
