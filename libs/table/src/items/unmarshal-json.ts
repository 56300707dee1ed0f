import { parseNumber } from '@engawa/model';
import type { Document, DocumentValue } from '@engawa/model';

/** A value as DynamoDB's JSON has it: one property, named for its type. */
type JsonAttribute = Record<string, unknown>;
export type JsonAttributes = Record<string, JsonAttribute>;

/**
 * An item in DynamoDB's JSON as a plain document, numbers to the digit.
 * @throws TypeError for a type that no item of this table has: sets
 */
export function unmarshalJson(attributes: JsonAttributes): Document {
  const document: Document = {};
  for (const name of Object.keys(attributes)) {
    // No item is written with it, and assigned it would not be a property.
    if (name !== '__proto__') document[name] = valueOf(attributes[name]);
  }
  return document;
}

function valueOf(attribute: JsonAttribute = {}): DocumentValue {
  for (const type in attribute) {
    const value = attribute[type];
    switch (type) {
      case 'S':
      case 'BOOL':
        return value as string | boolean;
      case 'N':
        return parseNumber(value as string);
      case 'NULL':
        return null;
      case 'L':
        return (value as JsonAttribute[]).map(valueOf);
      case 'M':
        return unmarshalJson(value as JsonAttributes);
      case 'B':
        return Buffer.from(value as string, 'base64');
    }
  }
  throw new TypeError(`not a value of this table: ${Object.keys(attribute).join()}`);
}
