import { openBeforeAll } from '@engawa/testing';
import { accessDenied, throttled } from './fault-proxy.ts';
import { connect, metric, shortMs, startTable, until } from './table-fixture.ts';
import type { Reply } from './fault-proxy.ts';

const fixture = openBeforeAll(() => startTable(undefined, shortMs));
beforeEach(async () => {
  fixture.proxy.reply = () => 'forward';
  await ask();
});

const ask = () => fixture.table.query({ pk: 'any' });
const answer = (reply: Reply) => {
  fixture.proxy.reply = () => reply;
};

describe('a rejected request', () => {
  it('is a throttling problem and leaves the table available', async () => {
    answer({ ...throttled, type: 'ThrottlingException' });
    await expect(ask()).rejects.toMatchObject({ code: 'table-throttled' });
    expect(fixture.table.unavailableReason()).toBeUndefined();
  });

  it.each<[string, Reply]>([
    ['500', { status: 500, type: 'InternalServerError' }],
    ['503', { status: 503, type: 'ServiceUnavailable' }],
    ['reset', 'reset'],
    ['denied', accessDenied],
    ['expired credentials', { status: 400, type: 'ExpiredTokenException' }],
    ['no table', { status: 400, type: 'ResourceNotFoundException' }],
  ])('is an unavailability problem: %s', async (_, reply) => {
    answer(reply);
    const asked = ask();
    await expect(asked).rejects.toMatchObject({ name: 'Problem', code: 'table-unavailable' });
    await expect(asked).rejects.not.toThrow('words of AWS');
  });

  it.each<Reply>(['hang', 'hang after the head', 'drip'])(
    'ends at its timeout: %s',
    async (reply) => {
      let asked = 0;
      fixture.proxy.reply = () => (++asked === 1 ? reply : 'forward');
      await expect(ask()).resolves.toMatchObject({ items: [] });
      expect(asked).toBeGreaterThan(1);
    },
  );
});

describe('attempts', () => {
  it('are counted one by one, with reason and scope of a throttle', async () => {
    const { table, registry } = connect(fixture.table.tableName, fixture.proxy.endpoint);
    const attempts = () => metric(registry, 'engawa_table_attempts_total', { operation: 'Query' });
    const labels = { reason: 'TableWriteKeyRangeThroughputExceeded', scope: 'key_range' };
    const throttles = () => metric(registry, 'engawa_table_throttled_attempts_total', labels);
    let asked = 0;
    fixture.proxy.reply = () => (++asked <= 1 ? throttled : 'forward');
    await table.query({ pk: 'any' });
    expect(await attempts()).toBe(2);
    expect(await throttles()).toBe(1);
    table.close();
  });
});

describe('unavailableReason', () => {
  it('names the denied operation until it is allowed', async () => {
    answer(accessDenied);
    await expect(ask()).rejects.toThrow();
    expect(fixture.table.unavailableReason()).toBe('access denied to dynamodb:Query');
    answer('forward');
    await ask();
    expect(fixture.table.unavailableReason()).toBeUndefined();
  });

  it('reports rejected credentials, and detects their correction', async () => {
    answer({ status: 400, type: 'ExpiredTokenException' });
    await expect(ask()).rejects.toThrow();
    expect(fixture.table.unavailableReason()).toBe(
      'AWS rejects the credentials (ExpiredTokenException)',
    );
    answer('forward');
    await until(() => fixture.table.unavailableReason() === undefined);
  });

  it('ignores a single failure', async () => {
    answer({ status: 500, type: 'InternalServerError' });
    await expect(ask()).rejects.toThrow();
    expect(fixture.table.unavailableReason()).toBeUndefined();
  });

  it('reports missing credentials', async () => {
    const before = process.env;
    process.env = {
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
      AWS_CONFIG_FILE: '/nonexistent',
      AWS_REGION: 'eu-west-1',
    };
    const { table } = connect('engawa', 'https://127.0.0.1:1');
    try {
      await expect(table.get({ pk: 'a', sk: 'b' })).rejects.toMatchObject({
        code: 'table-unavailable',
      });
      expect(table.unavailableReason()).toBe('no AWS credentials found');
    } finally {
      table.close();
      process.env = before;
    }
  });
});

describe('waitUntilReady', () => {
  it('waits until the endpoint listens, and logs the wait and the success once each', async () => {
    const { table, logged } = connect('engawa', 'http://127.0.0.1:1');
    const waiting = new AbortController();
    const ready = table.waitUntilReady(waiting.signal);
    await until(() => logged.length === 1);
    expect(table.unavailableReason()).toBe(
      'table engawa cannot be reached at http://127.0.0.1:1: connection refused',
    );
    waiting.abort(new Error('closing'));
    await expect(ready).rejects.toThrow();
    table.close();
    expect(logged).toEqual(['waiting for the table']);
  });

  it('is ready when the table is active', async () => {
    const { proxy } = fixture;
    answer({ status: 400, type: 'ResourceNotFoundException' });
    const { table, logged } = connect(fixture.table.tableName, proxy.endpoint);
    const ready = table.waitUntilReady(AbortSignal.timeout(120_000));
    await until(() => logged.length === 1);
    expect(table.unavailableReason()).toBe(
      `there is no table ${table.tableName} at ${proxy.endpoint}`,
    );
    answer('forward');
    await ready;
    expect(table.unavailableReason()).toBeUndefined();
    table.close();
    expect(logged).toEqual(['waiting for the table', 'table is ready']);
  });
});
