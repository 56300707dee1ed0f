import { DynamoDBClient, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDbError, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

const intervalMs = 600_000;
/** The MQTT client would miss its keep-alive when intervals pass at once. */
const overHttp = { MQTT_SUBSCRIBE: 'off' };

let fixture: IngestionFixture;
beforeEach(async () => {
  fixture = await IngestionFixture.open();
});
afterEach(async () => {
  jest.useRealTimers();
  await fixture.close();
});

async function setTimeToLive(Enabled: boolean, AttributeName = 'ttl'): Promise<void> {
  const { TABLE_NAME: TableName, DYNAMODB_ENDPOINT: endpoint = '' } = fixture.environment;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ region: 'local', endpoint, credentials });
  const TimeToLiveSpecification = { Enabled, AttributeName };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  client.destroy();
}

const required = () => fixture.service?.context.readiness.names ?? [];
const unmet = () => {
  const reasons = fixture.service?.context.readiness.unavailableReasons() ?? [];
  return reasons.find(({ name }) => name === 'timeToLive');
};
const lines = (text: string) => fixture.logged.filter((line) => line.includes(text));

/** Only intervals are fake, from now on: those of the service are under control. */
function controlIntervals(): void {
  jest.useFakeTimers({
    doNotFake: [
      ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
      ...(['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const),
    ],
  });
}

it('a disabled TTL of the table is reported with RETENTION_DAYS, until it is enabled', async () => {
  await setTimeToLive(false);
  controlIntervals();
  await fixture.launch({ ...overHttp, RETENTION_DAYS: '0,meter=30' });
  await until('the reason', () => unmet() !== undefined);
  expect(unmet()).toMatchObject({ blocks: false });
  expect(unmet()?.reason).toContain('is disabled, so expired readings are hidden and stay');
  expect(lines('RETENTION_DAYS has no effect on stored readings')).toHaveLength(1);
  await setTimeToLive(true);
  jest.advanceTimersByTime(intervalMs);
  await until('TTL is enabled', () => unmet() === undefined);
  expect(lines('TTL of the table is enabled')).toHaveLength(1);
});

it('a TTL by another attribute is reported', async () => {
  await setTimeToLive(false);
  await setTimeToLive(true, 'expires');
  await fixture.launch({ RETENTION_DAYS: '30' });
  await until('the reason', () => unmet() !== undefined);
  expect(unmet()?.reason).toContain('uses another attribute than ttl');
});

it('without RETENTION_DAYS the TTL is not read', async () => {
  const proxy = await fixture.openProxy();
  const operations = new Set<string>();
  proxy.fateOf = ({ operation }) => {
    operations.add(operation);
    return 'answered';
  };
  await fixture.start({ DYNAMODB_ENDPOINT: proxy.endpoint });
  expect(required()).not.toContain('timeToLive');
  expect([...operations]).not.toContain('DescribeTimeToLive');
});

it('a missing permission is reported once, and everything else works', async () => {
  const proxy = await fixture.openProxy();
  let count = 0;
  proxy.fateOf = ({ operation }) => {
    if (operation !== 'DescribeTimeToLive') return 'answered';
    count += 1;
    const __type = 'com.amazon.coral.service#AccessDeniedException';
    return { status: 400, body: JSON.stringify({ __type }) };
  };
  controlIntervals();
  const endpoint = { DYNAMODB_ENDPOINT: proxy.endpoint };
  await fixture.start({ ...overHttp, ...endpoint, RETENTION_DAYS: '30' });
  await until('a denied request', () => lines('permit dynamodb:DescribeTimeToLive').length > 0);
  jest.advanceTimersByTime(intervalMs);
  await until('another denied request', () => count === 2);
  const stored = await fixture.post('/v1/readings', '{"device":"a","x":1}');
  expect(stored).toMatchObject({ status: 202, body: { stored: 1 } });
  expect(fixture.service?.context.readiness.unavailableReasons()).toEqual([]);
  expect(lines('permit dynamodb:DescribeTimeToLive')).toHaveLength(1);
});

it('an API without TTL is reported', async () => {
  const proxy = await fixture.openProxy();
  proxy.fateOf = ({ operation }) =>
    operation === 'DescribeTimeToLive' ? dynamoDbError('UnknownOperationException') : 'answered';
  await fixture.launch({ DYNAMODB_ENDPOINT: proxy.endpoint, RETENTION_DAYS: '30' });
  await until('the reason', () => unmet()?.reason.includes('does not support TTL') === true);
});
