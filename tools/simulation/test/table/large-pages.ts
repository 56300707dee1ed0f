import type { AttributeValue, Document } from '@engawa/dynamodb-simulator/rules';
import type { Request } from './request-builder.ts';

const S = (value: string): AttributeValue => ({ S: value });

/** Fills a partition of table and index with 3 MB, and reads it in both directions. */
export function largePages(TableName: string): Request[] {
  const sizes = [390, 390, 200, 43, 1, 390, 390, 243, 5, 390, 390, 100];
  const puts = sizes.map((kilobytes, number) => {
    const sort = String(number).padStart(2, '0');
    const Item = {
      ...{ pk: S('large'), sk: S(sort), gsi2pk: S('large'), gsi2sk: S(sort) },
      x: S('x'.repeat(kilobytes * 1024)),
    };
    return { operation: 'PutItem', input: { TableName, Item } };
  });
  const query = (more: Document) => ({
    operation: 'Query',
    input: { TableName, ExpressionAttributeValues: { ':p': S('large') }, ...more },
  });
  const table = { KeyConditionExpression: 'pk = :p' };
  const index = { IndexName: 'gsi2', KeyConditionExpression: 'gsi2pk = :p' };
  const reads = [true, false].flatMap((ScanIndexForward) => [
    query({ ...table, ScanIndexForward }),
    query({ ...table, ScanIndexForward, ProjectionExpression: 'sk' }),
    query({ ...index, ScanIndexForward, ProjectionExpression: 'sk' }),
  ]);
  return [...puts, ...reads];
}
