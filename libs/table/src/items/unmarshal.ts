import { unmarshall } from '@aws-sdk/util-dynamodb';
import { parseNumber } from '@engawa/model';
import type { Document } from '@engawa/model';
import type { Attributes } from './marshal.ts';

/**
 * The document in what DynamoDB gave, where the document client does not read it: in errors, and in answers to writes. As
 * there, a number that a double would round becomes a Decimal.
 */
export function unmarshal(attributes: Attributes): Document {
  return unmarshall(attributes, { wrapNumbers: parseNumber }) as Document;
}
