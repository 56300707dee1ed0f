import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { HttpHandler } from '@engawa/table/http-handler';
import { sdkHandler } from '../../src/table/index.ts';
import { epoch, key, put, settle, simulateTable, TableName } from './simulated-table.ts';
import type { PutItemCommandInput } from '@aws-sdk/client-dynamodb';

const table = simulateTable({ latencyMs: { from: 2, to: 8 } });

/** Like the services' own handler, whose base class the simulation replaces. */
class Handler extends HttpHandler {
  override handle = sdkHandler({
    endpoint: table.endpoint,
    now: () => epoch + table.agenda.now(),
  });
}

const client = new DynamoDBClient({
  endpoint: 'http://127.0.0.1:8000',
  region: 'local',
  maxAttempts: 1,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  requestHandler: new Handler({ httpAgent: new HttpAgent(), httpsAgent: new HttpsAgent() }),
});
let isClosed = false;

/** Runs the world during the tests. */
async function drive(): Promise<void> {
  while (!isClosed) {
    await settle(); // Lets the client run even if the agenda is empty.
    await table.play(10);
  }
}
const driven = drive();

afterAll(async () => {
  isClosed = true;
  await driven;
  client.destroy();
});

it('serves the AWS SDK', async () => {
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

it('returns exceptions that the SDK recognises, with their fields', async () => {
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

it('cuts the connection when a response is lost', async () => {
  table.endpoint.faults.set([{ fault: { kind: 'lost' }, times: 1 }]);
  const command = new PutItemCommand(put('lost') as unknown as PutItemCommandInput);
  await expect(client.send(command)).rejects.toThrow('socket hang up');
  expect([...table.model.items()].map(({ pk }) => pk?.S)).toContain('lost');
});

it('ends a request without a response when the caller aborts it', async () => {
  table.endpoint.faults.set([{ fault: { kind: 'stuck', when: 'after' }, times: 1 }]);
  const command = new PutItemCommand(put('stuck') as unknown as PutItemCommandInput);
  const abort = new AbortController();
  const sent = client.send(command, { abortSignal: abort.signal });
  const isStored = () => [...table.model.items()].some(({ pk }) => pk?.S === 'stuck');
  while (!isStored()) await settle();
  abort.abort();
  await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
});
