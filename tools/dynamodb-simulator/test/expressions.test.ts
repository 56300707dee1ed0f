import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { ConformanceFixture } from './conformance-fixture.ts';
import { failureOf } from './simulator-fixture.ts';

/** Conformance with DynamoDB: of the simulator, or of DynamoDB Local if TEST_DYNAMODB_ENDPOINT names it. */
let fixture: ConformanceFixture;
beforeAll(async () => (fixture = await ConformanceFixture.open()));
afterAll(() => fixture.close());

it.each([
  [
    'a reserved word as a name',
    { FilterExpression: 'status = :p' },
    /^Invalid FilterExpression: Attribute name is a reserved keyword; reserved keyword: status$/,
  ],
  [
    'a value that no expression uses',
    { ExpressionAttributeValues: { ':p': { S: 'p' }, ':unused': { S: 'x' } } },
    /^Value provided in ExpressionAttributeValues unused in expressions: keys: \{:unused\}$/,
  ],
  [
    'a comparison of an attribute with itself',
    { FilterExpression: 'kind = kind' },
    /^Invalid FilterExpression: The first operand must be distinct from the remaining operands/,
  ],
])('rejects %s', async (_, more, message) => {
  const query = new QueryCommand({
    TableName: fixture.tableName,
    KeyConditionExpression: 'pk = :p',
    ExpressionAttributeValues: { ':p': { S: 'p' } },
    ...more,
  });
  const failure = await failureOf(fixture.send(query));
  expect(failure).toMatchObject({ name: 'ValidationException' });
  expect(failure['message']).toMatch(message);
});
