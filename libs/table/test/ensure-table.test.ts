import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { startDynamoDb } from '@engawa/embedded';
import { ensureTable } from '../src/index.ts';
import type { DynamoDb } from '@engawa/embedded';

let engine: DynamoDb;
let client: DynamoDBClient;

beforeAll(async () => {
  engine = await startDynamoDb();
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  client = new DynamoDBClient({ endpoint: engine.endpoint, region: 'local', credentials });
});
afterAll(async () => {
  client.destroy();
  await engine.close();
});

const ensure = (tableName: string) =>
  ensureTable({ tableName, endpoint: engine.endpoint, timeoutMs: 5000 });

const create = (TableName: string, hash: string, range: string) =>
  client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: hash, KeyType: 'HASH' },
        { AttributeName: range, KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: hash, AttributeType: 'S' },
        { AttributeName: range, AttributeType: 'S' },
      ],
    }),
  );

async function expectComplete(TableName: string): Promise<void> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const names = Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName);
  expect(names?.sort()).toEqual(['gsi1', 'gsi2']);
  expect(Table?.BillingModeSummary?.BillingMode).toBe('PAY_PER_REQUEST');
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  expect(TimeToLiveDescription).toMatchObject({
    AttributeName: 'ttl',
    TimeToLiveStatus: 'ENABLED',
  });
}

it('makes the table, and leaves it alone the next time', async () => {
  expect(await ensure('fresh')).toBe('created');
  await expectComplete('fresh');
  expect(await ensure('fresh')).toBe('present');
});

it('adds what is missing', async () => {
  await create('partial', 'pk', 'sk');
  expect(await ensure('partial')).toBe('completed');
  await expectComplete('partial');
});

it('may run many times at once', async () => {
  const outcomes = await Promise.all([ensure('raced'), ensure('raced'), ensure('raced')]);
  expect(outcomes).toContain('created');
  await expectComplete('raced');
});

it('does not touch a table of somebody else', async () => {
  await create('foreign', 'id', 'at');
  await expect(ensure('foreign')).rejects.toThrow(
    'table foreign is not one of Engawa: it has the keys id and at, not pk and sk',
  );
});

it('ends when its signal aborts', async () => {
  const signal = AbortSignal.abort(new Error('stopped'));
  const ensuring = ensureTable({
    tableName: 'ended',
    endpoint: engine.endpoint,
    timeoutMs: 5000,
    signal,
  });
  await expect(ensuring).rejects.toThrow();
});
