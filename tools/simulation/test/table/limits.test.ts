import { codesOf, key, outcomeOf, put, simulateTable, TableName } from './simulated-table.ts';
import type { Document, Item } from '@engawa/dynamodb-simulator/rules';

const kilobytes = (count: number): Item => ({ x: { S: 'x'.repeat(count * 1024) } });
const query = (more: Document = {}) => ({
  KeyConditionExpression: 'pk = :p',
  ExpressionAttributeValues: { ':p': { S: 'a' } },
  ReturnConsumedCapacity: 'TOTAL',
  ...more,
});

it('ends a page with the item that exceeds 1 MB, and charges for all items read', () => {
  const table = simulateTable();
  for (const sk of ['1', '2', '3', '4']) table.handle('PutItem', put('a', kilobytes(390), sk));
  const pages: Document[] = [];
  let start: Document = {};
  for (let number = 0; number < 3; number++) {
    const { body } = table.handle('Query', query(start));
    pages.push(body);
    if (body['LastEvaluatedKey'] === undefined) break;
    start = { ExclusiveStartKey: body['LastEvaluatedKey'] };
  }
  expect(pages.map(({ Count }) => Count)).toEqual([3, 1]);
  expect(pages[0]).toMatchObject({
    LastEvaluatedKey: key('a', '3'),
    // Three items of slightly more than 390 KB, in units of 4 KB rounded up, eventually consistent.
    ConsumedCapacity: { CapacityUnits: 146.5 },
  });
});

it('returns keys of a BatchGetItem beyond 16 MB as unprocessed', () => {
  const table = simulateTable();
  const Keys = Array.from({ length: 50 }, (_, number) => key('a', String(number)));
  for (const item of Keys) {
    table.handle('PutItem', { Item: { ...item, ...kilobytes(390) } });
  }
  const RequestItems = { [TableName]: { Keys } };
  const { body } = table.model.handle('BatchGetItem', { RequestItems });
  const answered = (body['Responses'] as Record<string, Item[]>)[TableName] ?? [];
  const left = (body['UnprocessedKeys'] as Record<string, { Keys: Item[] }>)[TableName]?.Keys;
  expect(answered).toHaveLength(42);
  expect(left).toEqual(Keys.slice(42));
});

it('keeps the order of an index over all pages; another seed has another order', () => {
  const orderOf = (seed: number, Limit?: number) => {
    const table = simulateTable({}, seed);
    const gsi2 = { gsi2pk: { S: 'g' }, gsi2sk: { S: 'same' } };
    for (let number = 0; number < 20; number++) table.handle('PutItem', put(`${number}`, gsi2));
    const found: Item[] = [];
    let start: Document = {};
    for (let page = 0; page < 30; page++) {
      const { body } = table.handle('Query', {
        IndexName: 'gsi2',
        KeyConditionExpression: 'gsi2pk = :p',
        ExpressionAttributeValues: { ':p': { S: 'g' } },
        ...(Limit && { Limit }),
        ...start,
      });
      found.push(...(body['Items'] as Item[]));
      if (body['LastEvaluatedKey'] === undefined) break;
      start = { ExclusiveStartKey: body['LastEvaluatedKey'] };
    }
    return found.map(({ pk }) => pk?.S).join();
  };
  const whole = orderOf(1);
  expect(whole.split(',').toSorted()).toHaveLength(20);
  expect([orderOf(1, 1), orderOf(1, 7)]).toEqual([whole, whole]);
  expect(orderOf(2)).not.toBe(whole);
});

it('returns a cancellation reason for each action of a transaction, with the existing item', () => {
  const table = simulateTable();
  table.handle('PutItem', put('a', { n: { N: '1' } }));
  const ConditionExpression = 'attribute_not_exists(pk)';
  const answer = table.model.handle('TransactWriteItems', {
    TransactItems: [
      { Put: put('b') },
      {
        Put: { ...put('a'), ConditionExpression, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' },
      },
      {
        Update: {
          ...{ TableName, Key: key('c'), UpdateExpression: 'SET m.n = :n' },
          ExpressionAttributeValues: { ':n': { N: '1' } },
        },
      },
    ],
  });
  expect(outcomeOf(answer)).toBe('TransactionCanceledException');
  expect(codesOf(answer)).toEqual(['None', 'ConditionalCheckFailed', 'ValidationError']);
  expect(answer.body['CancellationReasons']).toMatchObject([
    {},
    { Item: { ...key('a'), n: { N: '1' } } },
    {},
  ]);
  expect([...table.model.items()]).toHaveLength(1);
});

it.each([
  ['a parameter', 'Query', query({ KeyConditions: {} })],
  ['an operation', 'Scan', {}],
  ['a parameter of a table', 'UpdateTable', { BillingMode: 'PROVISIONED' }],
])('rejects %s that it does not support', (_, operation, input) => {
  const { status, body } = simulateTable().handle(operation, input);
  expect(status).toBe(400);
  expect(body['message']).toMatch(/^the simulated table does not support /);
});

it('adds an index with all existing items', () => {
  const table = simulateTable();
  table.handle('PutItem', put('a', { kind: { S: 'k' } }));
  const update = table.handle('UpdateTable', {
    AttributeDefinitions: ['pk', 'sk', 'kind'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
    GlobalSecondaryIndexUpdates: [
      {
        Create: {
          IndexName: 'byKind',
          KeySchema: [{ AttributeName: 'kind', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      },
    ],
  });
  expect(update.status).toBe(200);
  table.handle('PutItem', put('b', { kind: { S: 'k' }, n: { N: '1' } }));
  const { body } = table.handle('Query', {
    IndexName: 'byKind',
    KeyConditionExpression: 'kind = :k',
    ExpressionAttributeValues: { ':k': { S: 'k' } },
  });
  const found = (body['Items'] as Item[]).map(({ pk, n }) => [pk?.S, n]);
  expect(found.toSorted()).toEqual([
    ['a', undefined],
    ['b', undefined],
  ]);
});
