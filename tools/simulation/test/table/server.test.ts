import { once } from 'node:events';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { ensureTable } from '@engawa/table';
import { createTableServer } from '../../src/table/table-server.ts';
import { epoch, key, put, settle, simulateTable, TableName } from './simulated-table.ts';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PutItemCommandInput } from '@aws-sdk/client-dynamodb';

const table = simulateTable({ latencyMs: { from: 2, to: 8 } });
const server = createTableServer(table.endpoint, { now: () => epoch + table.agenda.now() });
let client: DynamoDBClient;
let endpoint: string;
let isClosed = false;

/** The world goes on as long as the tests do. */
async function drive(): Promise<void> {
  while (!isClosed) {
    await settle(); // An empty agenda would leave sockets no turn.
    await table.play(10);
  }
}
let driven: Promise<void>;

beforeAll(async () => {
  endpoint = await listen(server);
  client = new DynamoDBClient({
    endpoint,
    region: 'local',
    maxAttempts: 1,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  driven = drive();
});
afterAll(async () => {
  isClosed = true;
  await driven;
  client.destroy();
  await close(server);
});

async function listen(what: Server): Promise<string> {
  what.listen(0, '127.0.0.1');
  await once(what, 'listening');
  return `http://127.0.0.1:${(what.address() as AddressInfo).port}`;
}

async function close(what: Server): Promise<void> {
  const closed = once(what, 'close');
  what.close();
  what.closeAllConnections();
  await closed;
}

it('speaks to the AWS SDK', async () => {
  const item = { ...key('a'), bytes: { B: Buffer.from('abc') }, n: { N: '1.50' } };
  await client.send(new PutItemCommand({ TableName, Item: item }));
  const { Item } = await client.send(
    new GetItemCommand({ TableName, Key: { pk: { S: 'a' }, sk: { S: '1' } } }),
  );
  expect(Item).toEqual({
    ...key('a'),
    bytes: { B: new Uint8Array([97, 98, 99]) },
    n: { N: '1.5' },
  });
});

it('answers with exceptions that the SDK knows, fields included', async () => {
  const again = new PutItemCommand({
    ...(put('a') as unknown as PutItemCommandInput),
    ConditionExpression: 'attribute_not_exists(pk)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  await expect(client.send(again)).rejects.toMatchObject({
    name: 'ConditionalCheckFailedException',
    message: 'The conditional request failed',
    Item: { n: { N: '1.5' } },
  });
});

it('cuts the connection where an answer is lost', async () => {
  table.endpoint.faults.set([{ fault: { kind: 'lost' }, times: 1 }]);
  const command = new PutItemCommand(put('lost') as unknown as PutItemCommandInput);
  await expect(client.send(command)).rejects.toThrow('socket hang up');
  expect([...table.model.items()].map(({ pk }) => pk?.S)).toContain('lost');
});

it('dates its answers by its own clock', async () => {
  const { headers } = await fetch(endpoint, { method: 'POST', body: '{}' });
  const date = Date.parse(headers.get('date') ?? '');
  expect(Math.abs(date - epoch - table.agenda.now())).toBeLessThan(60_000);
});

it('is a table that the services can be set up on', async () => {
  // The SDK would take each refusal for the fault of a clock that is not the machine's, and try again.
  const timely = simulateTable({ now: () => Date.now() });
  const other = createTableServer(timely.endpoint, { now: () => Date.now() });
  const location = {
    tableName: 'engawa',
    region: 'local',
    endpoint: await listen(other),
    timeoutMs: 10_000,
  };
  expect(await ensureTable(location)).toBe('created');
  expect(await ensureTable(location)).toBe('present');
  await close(other);
});
