import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ensureTable } from '@engawa/table';
import { describeOnEmbedded, dynamoDbError, openBeforeEach, until } from '@engawa/testing';
import { IngestionFixture, restarts } from './ingestion-fixture.ts';
import type { ProxiedResponse } from '@engawa/testing';

const fixture = openBeforeEach(() => IngestionFixture.open());

const unavailable = () =>
  fixture.service?.context.readiness.unavailableReasons().find(({ name }) => name === 'table');
const readings = JSON.stringify({ device: 'd', ts: Date.now(), x: 1 });

describeOnEmbedded(restarts, 'a table without one of its indexes', () => {
  it('delays the start until the index is there', async () => {
    const { tableName } = fixture.table;
    const endpoint = String(fixture.environment['DYNAMODB_ENDPOINT']);
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const client = new DynamoDBClient({ region: 'local', endpoint, credentials });
    await client.send(new DeleteTableCommand({ TableName: tableName }));
    const names = ['pk', 'sk'] as const;
    await client.send(
      new CreateTableCommand({
        TableName: tableName,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: names.map((AttributeName, index) => ({
          AttributeName,
          KeyType: index === 0 ? 'HASH' : 'RANGE',
        })),
        AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      }),
    );
    client.destroy();
    const proxy = await fixture.openProxy();
    let reads = 0;
    proxy.fateOf = ({ operation, body }) => {
      if (operation === 'Query' && body.includes('gsi2')) reads += 1;
      return 'answered';
    };
    const starting = fixture.start({ DYNAMODB_ENDPOINT: proxy.endpoint });
    await until('some reads of the index', () => reads >= 4);
    await ensureTable({ tableName, region: 'local', endpoint, timeoutMs: 60_000 });
    await starting;
    expect(await fixture.post('/v1/readings', readings)).toMatchObject({ status: 202 });
  });
});

/** Answers that do not end a start. */
const answers: readonly [name: string, answer: ProxiedResponse][] = [
  [
    'an index that is still being built',
    dynamoDbError(
      'ValidationException',
      'Cannot read from backfilling global secondary index: gsi2',
    ),
  ],
  ['a timeout of the server', { ...dynamoDbError('RequestTimeoutException'), status: 408 }],
  ['a gateway that forbids', { status: 403, body: '{"error":"forbidden"}' }],
  ['a mesh with an empty success', { status: 200, body: '{}' }],
];

it.each(answers)('%s delays the start', async (_, answer) => {
  const proxy = await fixture.openProxy();
  let count = 0;
  proxy.fateOf = ({ operation, body }) => {
    const isList = operation === 'Query' && body.includes('SEEN#DEVICE');
    return isList && ++count <= 12 ? answer : 'answered';
  };
  await fixture.start({ DYNAMODB_ENDPOINT: proxy.endpoint });
  expect(count).toBeGreaterThan(12);
  expect(unavailable()).toBeUndefined();
  expect(await fixture.post('/v1/readings', readings)).toMatchObject({ status: 202 });
});
