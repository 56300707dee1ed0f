import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { openBeforeEach, openDynamoDb, until } from '@engawa/testing';
import { pino } from 'pino';
import { ensureTable } from '../src/index.ts';
import { FaultProxy } from './fault-proxy.ts';
import type { TestDynamoDb } from '@engawa/testing';
import type { EnsureTableOptions } from '../src/index.ts';
import type { Reply } from './fault-proxy.ts';

let engine: TestDynamoDb;
let client: DynamoDBClient;

beforeAll(async () => {
  engine = await openDynamoDb();
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  client = new DynamoDBClient({ endpoint: engine.endpoint, region: 'local', credentials });
});
afterAll(async () => {
  client.destroy();
  await engine.close();
});

const ensure = (name: string, more: Partial<EnsureTableOptions> = {}) => {
  const tableName = engine.tableNamed(name);
  return ensureTable({ tableName, endpoint: engine.endpoint, timeoutMs: 60_000, ...more });
};

const create = (name: string, hash: string, range: string, units?: number, type: 'S' | 'N' = 'S') =>
  client.send(
    new CreateTableCommand({
      TableName: engine.tableNamed(name),
      BillingMode: units === undefined ? 'PAY_PER_REQUEST' : 'PROVISIONED',
      ...(units !== undefined && {
        ProvisionedThroughput: { ReadCapacityUnits: units, WriteCapacityUnits: units + 1 },
      }),
      KeySchema: [
        { AttributeName: hash, KeyType: 'HASH' },
        { AttributeName: range, KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: hash, AttributeType: 'S' },
        { AttributeName: range, AttributeType: type },
      ],
    }),
  );

async function expectComplete(name: string): Promise<void> {
  const TableName = engine.tableNamed(name);
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

it('creates the table, and leaves it unchanged the next time', async () => {
  expect(await ensure('fresh')).toBe('created');
  await expectComplete('fresh');
  expect(await ensure('fresh')).toBe('present');
});

it('adds missing indexes and time to live', async () => {
  await create('partial', 'pk', 'sk');
  expect(await ensure('partial')).toBe('completed');
  await expectComplete('partial');
});

it('may run many times at once', async () => {
  const outcomes = await Promise.all([ensure('raced'), ensure('raced'), ensure('raced')]);
  expect(outcomes).toContain('created');
  await expectComplete('raced');
});

it('does not change a table of another application', async () => {
  await create('foreign', 'id', 'at');
  await expect(ensure('foreign')).rejects.toThrow(
    `table ${engine.tableNamed('foreign')} is not a table of Engawa: it has the keys id and at, not pk and sk`,
  );
});

it('rejects a table with a key that is not a text', async () => {
  await create('numbered', 'pk', 'sk', undefined, 'N');
  await expect(ensure('numbered')).rejects.toThrow(
    `table ${engine.tableNamed('numbered')} is not a table of Engawa: its key sk is of type N, not S;`,
  );
});

it('rejects a table whose time to live uses another attribute', async () => {
  await create('elsewhere', 'pk', 'sk');
  const TableName = engine.tableNamed('elsewhere');
  const TimeToLiveSpecification = { AttributeName: 'expires', Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  await expect(ensure('elsewhere')).rejects.toThrow(
    `table ${TableName} expires items by the attribute expires, not ttl, so items of Engawa would never expire`,
  );
});

it('ends when its signal aborts', async () => {
  const signal = AbortSignal.abort(new Error('stopped'));
  await expect(ensure('ended', { signal })).rejects.toThrow();
});

/** Read and write units per second of the table and each index: `'4 5'` is four read units and five write units. */
async function unitsOf(name: string): Promise<string[]> {
  const TableName = engine.tableNamed(name);
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  return [Table, ...(Table?.GlobalSecondaryIndexes ?? [])].map((part) => {
    const { ReadCapacityUnits = 0, WriteCapacityUnits = 0 } = part?.ProvisionedThroughput ?? {};
    return `${ReadCapacityUnits} ${WriteCapacityUnits}`;
  });
}

function logOf(lines: { msg: string }[]) {
  return pino({}, { write: (line) => lines.push(JSON.parse(line) as { msg: string }) });
}

it('creates a provisioned table and its indexes with their units', async () => {
  const billing = { mode: 'provisioned', readUnits: 4, writeUnits: 5 } as const;
  expect(await ensure('provisioned', { billing })).toBe('created');
  expect(await unitsOf('provisioned')).toEqual(['4 5', '4 5', '4 5']);
  expect(await ensure('provisioned', { billing })).toBe('present');
});

describe('through a proxy', () => {
  const proxy = openBeforeEach(() => FaultProxy.start(engine.endpoint));

  const refuse = (operation: string, type: string, message: string): void => {
    const refusal: Reply = { status: 400, type, more: { message } };
    proxy.reply = (request) => (request.operation === operation ? refusal : 'forward');
  };
  const ensureThere = (tableName: string, more: Partial<EnsureTableOptions> = {}) =>
    ensure(tableName, { endpoint: proxy.endpoint, ...more });

  it("leaves the billing of a table unchanged, logs the difference, and gives a new index the table's units", async () => {
    await create('paid', 'pk', 'sk', 7);
    const lines: { msg: string }[] = [];
    const billing = { mode: 'on-demand' } as const;
    expect(await ensureThere('paid', { billing, log: logOf(lines) })).toBe('completed');
    const ProvisionedThroughput = { ReadCapacityUnits: 7, WriteCapacityUnits: 8 };
    expect(proxy.of('UpdateTable').map(({ body }) => body)).toMatchObject(
      ['gsi1', 'gsi2'].map((IndexName) => ({
        GlobalSecondaryIndexUpdates: [{ Create: { IndexName, ProvisionedThroughput } }],
      })),
    );
    expect(lines[0]).toMatchObject({
      msg: 'the billing mode of the table differs from the configured one; it stays unchanged',
      found: { mode: 'provisioned', readUnits: 7, writeUnits: 8 },
      asked: billing,
    });
    const again: { msg: string }[] = [];
    const same = { mode: 'provisioned', readUnits: 7, writeUnits: 8 } as const;
    expect(await ensureThere('paid', { billing: same, log: logOf(again) })).toBe('present');
    expect(again).toEqual([]);
  });

  it('reports the identity and the operation that AWS denies', async () => {
    const denied = 'User: arn:aws:iam::1:role/x is not authorized to perform: dynamodb:CreateTable';
    refuse('CreateTable', 'AccessDeniedException', denied);
    await expect(ensureThere('denied')).rejects.toThrow(`access denied: ${denied}`);
  });

  it('reports rejected credentials', async () => {
    refuse('DescribeTable', 'UnrecognizedClientException', 'invalid token');
    await expect(ensureThere('foreign-credentials')).rejects.toThrow(
      'AWS rejects the credentials (UnrecognizedClientException)',
    );
  });

  it('reports an API that cannot add an index', async () => {
    await create('rigid', 'pk', 'sk');
    refuse('UpdateTable', 'ValidationException', 'GlobalSecondaryIndexUpdates not supported');
    await expect(ensureThere('rigid')).rejects.toThrow(
      `index gsi1 cannot be added to table ${engine.tableNamed('rigid')} (GlobalSecondaryIndexUpdates not supported)`,
    );
  });

  it('runs without time to live where it is unsupported, and logs that', async () => {
    const lines: { msg: string }[] = [];
    refuse('DescribeTimeToLive', 'UnknownOperationException', 'unknown');
    expect(await ensureThere('eternal', { log: logOf(lines) })).toBe('created');
    expect(lines.map(({ msg }) => msg)).toEqual([
      'creating the table',
      'this DynamoDB API does not support TTL: expired items stay in the table',
    ]);
  });

  it('stops retrying a rejected change of time to live', async () => {
    refuse('UpdateTimeToLive', 'ValidationException', 'modified multiple times');
    await expect(ensureThere('refused')).rejects.toThrow(
      /^table refused-\S+ cannot be created at http:.*: ValidationException: modified multiple times$/,
    );
  });

  it('logs the step in progress', async () => {
    const lines: { msg: string }[] = [];
    refuse('CreateTable', 'ResourceInUseException', 'it is being deleted');
    const ensured = ensureThere('awaited', { log: logOf(lines) });
    const line = 'waiting: DynamoDB says ResourceInUseException, it is being deleted';
    await until('a log line about the step in progress', () =>
      lines.some(({ msg }) => msg === line),
    );
    proxy.reply = () => 'forward';
    expect(await ensured).toBe('created');
  });
});

it('reports an address without credentials or path', async () => {
  const endpoint = 'http://somebody:hunter2@127.0.0.1:9';
  const ensured = ensure('refused', { endpoint, timeoutMs: 100 });
  await expect(ensured).rejects.toThrow(
    /^table refused-\S+ cannot be \w+ at http:\/\/127\.0\.0\.1:9: /,
  );
});

it('reports an address that does not respond', async () => {
  const proxy = await FaultProxy.start(engine.endpoint);
  proxy.reply = () => 'hang';
  const ensured = ensure('silent', { endpoint: proxy.endpoint, timeoutMs: 100 });
  await expect(ensured).rejects.toThrow(
    /^table silent-\S+ cannot be reached at http:.*: no response in time$/,
  );
  await proxy.close();
});
