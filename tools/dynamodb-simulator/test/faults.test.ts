import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { until } from '@engawa/testing';
import { clientOf, failureOf, item, SimulatorFixture } from './simulator-fixture.ts';

let fixture: SimulatorFixture;

beforeAll(async () => {
  fixture = await SimulatorFixture.open();
});
afterEach(() => fixture.simulator.setFaults([]));
afterAll(() => fixture.close());

async function isStored(pk: string): Promise<boolean> {
  const get = new GetItemCommand({ TableName: fixture.tableName, Key: item(pk, '1') });
  return (await fixture.client.send(get)).Item !== undefined;
}

describe('a fault', () => {
  it.each([
    ['before', false],
    ['after', true],
  ] as const)('cuts the connection %s the write', async (when, stored) => {
    fixture.simulator.setFaults([{ times: 1, fault: { kind: 'reset', when } }]);
    const failure = await failureOf(fixture.put(item(`reset ${when}`, '1')));
    expect(String(failure['message'])).toContain('ECONNRESET');
    expect(await isStored(`reset ${when}`)).toBe(stored);
  });

  it.each([
    'InternalServerError',
    'ServiceUnavailable',
    'ExpiredTokenException',
    'AccessDeniedException',
    'ResourceNotFoundException',
  ])('answers with %s', async (name) => {
    fixture.simulator.setFaults([{ times: 1, fault: { kind: 'exception', name } }]);
    expect(await failureOf(fixture.put(item('a', '1')))).toMatchObject({ name });
    await fixture.put(item('a', '1'));
  });

  it('begins after a number of requests, and ends after a number of requests', async () => {
    fixture.simulator.setFaults([
      { skip: 2, times: 1, operations: ['PutItem'], fault: { kind: 'reset', when: 'before' } },
    ]);
    const outcomes: boolean[] = [];
    for (const pk of ['first', 'second', 'third', 'fourth']) {
      await isStored(pk); // is no PutItem, so it does not count
      await fixture.put(item(pk, '1')).then(
        () => outcomes.push(true),
        () => outcomes.push(false),
      );
    }
    expect(outcomes).toEqual([true, true, false, true]);
  });

  it('sends no response, before or after the write', async () => {
    fixture.simulator.setFaults([
      { operations: ['PutItem'], fault: { kind: 'hang', after: 'write' } },
    ]);
    const put = new PutItemCommand({ TableName: fixture.tableName, Item: item('hang', '1') });
    const abort = new AbortController();
    const failure = failureOf(fixture.client.send(put, { abortSignal: abort.signal }));
    await until('the write', () => isStored('hang'));
    abort.abort();
    expect(await failure).toMatchObject({ name: 'AbortError' });
  });

  it('returns items of a batch as unprocessed, without an exception', async () => {
    fixture.simulator.setFaults([{ partitionKey: 'device-*', fault: { kind: 'unprocessed' } }]);
    const answer = await fixture.batch([item('device-1', '1'), item('other', '1')]);
    expect(answer.UnprocessedItems?.[fixture.tableName]).toHaveLength(1);
    const all = await fixture.batch([item('device-1', '1'), item('device-2', '1')]);
    expect(all.UnprocessedItems?.[fixture.tableName]).toHaveLength(2);
  });

  it('throttles one key of a batch, and the whole batch when it has no other key', async () => {
    fixture.simulator.setFaults([
      { partitionKey: 'hot', fault: { kind: 'throttle', exception: 'RequestLimitExceeded' } },
    ]);
    const answer = await fixture.batch([item('hot', '1'), item('other', '1')]);
    expect(answer.UnprocessedItems?.[fixture.tableName]).toHaveLength(1);
    expect(await failureOf(fixture.batch([item('hot', '1')]))).toMatchObject({
      name: 'RequestLimitExceeded',
      ThrottlingReasons: [{ reason: 'TableWriteKeyRangeThroughputExceeded' }],
    });
  });

  it("shifts the server's clock, which the SDK adopts", async () => {
    fixture.simulator.setFaults([{ fault: { kind: 'clock', skewSeconds: 3600 } }]);
    expect(await failureOf(fixture.put(item('clock', '1')))).toMatchObject({
      name: 'InvalidSignatureException',
    });
    const retrying = clientOf(fixture.simulator.endpoint, 3);
    await retrying.send(
      new PutItemCommand({ TableName: fixture.tableName, Item: item('clock', '1') }),
    );
    retrying.destroy();
  });

  it('occurs by its probability and seed', async () => {
    fixture.simulator.setFaults([
      { probability: 0.5, fault: { kind: 'exception', name: 'InternalServerError' } },
    ]);
    let failures = 0;
    for (let index = 0; index < 40; index++) {
      await fixture.put(item('chance', '1')).catch(() => failures++);
    }
    expect(failures).toBeGreaterThan(8);
    expect(failures).toBeLessThan(32);
  });
});

describe('the control API', () => {
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(fixture.simulator.endpoint + path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  it('sets limits and faults, and returns counters', async () => {
    await ask('DELETE', '/simulator/counters');
    await ask('PUT', '/simulator/limits', { partition: { write: 0.1 }, burstSeconds: 10 });
    await fixture.put(item('counted', '1'));
    await failureOf(fixture.put(item('counted', '2')));
    const { body } = await ask('GET', '/simulator');
    expect(body['counters']).toMatchObject({
      requests: { PutItem: 2 },
      units: { 'table write': 1 },
      throttles: { TableWriteKeyRangeThroughputExceeded: 1 },
      keys: [{ key: 'counted', units: 1, throttled: 1 }],
    });
    await ask('PUT', '/simulator/limits', {});
  });

  it.each([
    ['PUT', '/simulator/limits', { partition: { write: -1 } }, 400, 'partition.write'],
    ['PUT', '/simulator/faults', [{ fault: { kind: 'flood' } }], 400, 'fault.kind'],
    ['GET', '/simulator/limit', undefined, 404, 'PUT /simulator/limits'],
  ])('rejects %s %s with the reason', async (method, path, body, status, words) => {
    const answer = await ask(method, path, body);
    expect(answer.status).toBe(status);
    expect(answer.body['error']).toContain(words);
  });
});

describe('the command', () => {
  const start = (...args: string[]) =>
    spawn(process.execPath, [`${__dirname}/../src/main.ts`, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  it('starts, prints its address, and ends on a signal', async () => {
    const child = start('--port', '0', '--upstream', fixture.simulator.endpoint);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const endpoint = /^(http:\S+) forwards to/.exec(line.toString())?.[1] ?? '';
    expect((await fetch(`${endpoint}/simulator`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('rejects wrong options in one line', async () => {
    const child = start('--limits', '/nowhere.json');
    const [line] = (await once(child.stderr, 'data')) as [Buffer];
    expect(line.toString()).toMatch(/^dynamodb-simulator: .*\/nowhere\.json/);
    await once(child, 'exit');
  });
});
