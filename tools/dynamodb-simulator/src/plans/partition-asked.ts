import { keyText } from '../attribute.ts';
import type { AttributeValue } from '../attribute.ts';
import type { Document } from '../upstream.ts';

interface KeyCondition {
  ComparisonOperator: string;
  AttributeValueList: AttributeValue[];
}

/**
 * Which partition key a Query asks for: the value that its condition compares the partition attribute with, by
 * expression or in the older form; undefined where it cannot be told.
 */
export function partitionAsked(partition: string, body: Document): string | undefined {
  const older = (body['KeyConditions'] as Record<string, KeyCondition> | undefined)?.[partition];
  if (older !== undefined) return keyText(older.AttributeValueList[0]);
  const names = (body['ExpressionAttributeNames'] ?? {}) as Record<string, string>;
  const values = (body['ExpressionAttributeValues'] ?? {}) as Record<string, AttributeValue>;
  for (const [, left = '', right = ''] of String(body['KeyConditionExpression']).matchAll(
    /([#:]?[\w.-]+)\s*=\s*([#:]?[\w.-]+)/g,
  )) {
    const isAsked = (name: string) => name === partition || names[name] === partition;
    if (isAsked(left) && values[right] !== undefined) return keyText(values[right]);
    if (isAsked(right) && values[left] !== undefined) return keyText(values[left]);
  }
  return undefined;
}
