import { parseNumber } from '@engawa/model';
import type { Document, DocumentValue } from '@engawa/model';

/**
 * An item in DynamoDB's form as a plain document, from the SDK's output or from the JSON of a response, which differ
 * only in binary values (bytes, base64). A number that a double would round becomes a Decimal.
 * @throws TypeError for sets, a type that no item of this table has
 */
export function unmarshal(attributes: Readonly<Record<string, unknown>>): Document {
  const document: Document = {};
  for (const name of Object.keys(attributes)) {
    // marshal rejects this name; assigning it would set the prototype rather than a property.
    if (name !== '__proto__') document[name] = valueOf(attributes[name] ?? {});
  }
  return document;
}

/** @param attribute has one property, named for the value's type */
function valueOf(attribute: object): DocumentValue {
  for (const type in attribute) {
    const value: unknown = attribute[type as keyof typeof attribute];
    switch (type) {
      case 'S':
      case 'BOOL':
        return value as string | boolean;
      case 'N':
        return parseNumber(value as string);
      case 'NULL':
        return null;
      case 'L':
        return (value as object[]).map(valueOf);
      case 'M':
        return unmarshal(value as Record<string, object>);
      case 'B':
        return typeof value === 'string' ? Buffer.from(value, 'base64') : (value as Uint8Array);
    }
  }
  throw new TypeError(`not a value of this table: ${Object.keys(attribute).join()}`);
}
