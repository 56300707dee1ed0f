import { openBeforeAll, openBeforeEach, openDynamoDb } from '@engawa/testing';
import { ensureTable } from '../src/index.ts';
import { FaultProxy } from './fault-proxy.ts';
import type { Reply } from './fault-proxy.ts';

const engine = openBeforeAll(openDynamoDb);
let tableName: string;
const proxy = openBeforeEach(() => FaultProxy.start(engine.endpoint));
beforeAll(async () => {
  tableName = engine.tableNamed('engawa');
  await ensureTable({ tableName, endpoint: engine.endpoint, timeoutMs: 60_000 });
});

const ensure = () => ensureTable({ tableName, endpoint: proxy.endpoint, timeoutMs: 60_000 });

const keys = (prefix: string) => [
  { AttributeName: `${prefix}pk`, KeyType: 'HASH' },
  { AttributeName: `${prefix}sk`, KeyType: 'RANGE' },
];
const index = (name: string, IndexStatus?: string) => ({
  IndexName: name,
  KeySchema: keys(name),
  IndexStatus,
});

/** The response of DescribeTable for a table with these indexes. */
function table(TableStatus: string, ...GlobalSecondaryIndexes: object[]): Reply {
  const Table = { TableStatus, KeySchema: keys(''), GlobalSecondaryIndexes };
  return { status: 200, type: '', more: { Table } };
}

const timeToLive = (TimeToLiveStatus: string): Reply => {
  const TimeToLiveDescription = { TimeToLiveStatus, AttributeName: 'ttl' };
  return { status: 200, type: '', more: { TimeToLiveDescription } };
};

/** Returns these replies to each operation in turn; then the engine responds. */
function answer(replies: Record<string, Reply[]>): void {
  proxy.reply = ({ operation }) => replies[operation]?.shift() ?? 'forward';
}

const asked = () => proxy.requests.map(({ operation }) => operation);

it('sends no further request while DynamoDB changes the table, or one of its indexes', async () => {
  const DescribeTable = [
    table('CREATING'),
    table('ACTIVE', index('gsi1', 'CREATING')),
    table('UPDATING', index('gsi1', 'ACTIVE')),
  ];
  answer({ DescribeTable });
  expect(await ensure()).toBe('present');
  expect(asked()).toEqual([...Array<string>(4).fill('DescribeTable'), 'DescribeTimeToLive']);
});

it('treats an index without a status as active', async () => {
  answer({ DescribeTable: [table('ACTIVE', index('gsi1'), index('gsi2'))] });
  expect(await ensure()).toBe('present');
  expect(asked()).toEqual(['DescribeTable', 'DescribeTimeToLive']);
});

it('enables time to live after it was disabled', async () => {
  const DescribeTimeToLive = [timeToLive('DISABLING'), timeToLive('DISABLED')];
  const UpdateTimeToLive: Reply[] = [{ status: 200, type: '', more: {} }];
  answer({ DescribeTimeToLive, UpdateTimeToLive });
  expect(await ensure()).toBe('completed');
  const all = asked().filter((operation) => operation.endsWith('TimeToLive'));
  expect(all.join(' ')).toBe(
    'DescribeTimeToLive DescribeTimeToLive UpdateTimeToLive DescribeTimeToLive',
  );
});

it('accepts time to live that another process enabled', async () => {
  const message = 'TimeToLive is already enabled';
  answer({
    DescribeTimeToLive: [timeToLive('DISABLED')],
    UpdateTimeToLive: [{ status: 400, type: 'ValidationException', more: { message } }],
  });
  expect(await ensure()).toBe('present');
});
