import type { Document } from '@engawa/dynamodb-simulator/rules';

/** A table with an index that projects some attributes, and one that projects all, like the project's table. */
export function thingsTable(TableName: string): Document {
  const key = (prefix: string) => [
    { AttributeName: `${prefix}pk`, KeyType: 'HASH' },
    { AttributeName: `${prefix}sk`, KeyType: 'RANGE' },
  ];
  const names = ['', 'gsi1', 'gsi2'].flatMap((prefix) => [`${prefix}pk`, `${prefix}sk`]);
  const some = { ProjectionType: 'INCLUDE', NonKeyAttributes: ['n', 's'] };
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: key(''),
    AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    GlobalSecondaryIndexes: [
      { IndexName: 'gsi1', KeySchema: key('gsi1'), Projection: some },
      { IndexName: 'gsi2', KeySchema: key('gsi2'), Projection: { ProjectionType: 'ALL' } },
    ],
  };
}
