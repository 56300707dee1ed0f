import { setTimeout as delay } from 'node:timers/promises';
import { openBeforeAll } from '@engawa/testing';
import { connect, metric, startTable, until } from './table-fixture.ts';
import type { Table } from '../src/index.ts';

/** Maximum attempts of a client in flight (dynamodb-client.ts). */
const maxInFlight = 64;

const fixture = openBeforeAll(startTable);
let table: Table;
let attempts: (outcome: string) => Promise<number>;

function connectTable(timeoutMs: number): void {
  const connected = connect(fixture.table.tableName, fixture.proxy.endpoint, timeoutMs);
  table = connected.table;
  attempts = (outcome) => metric(connected.registry, 'engawa_table_attempts_total', { outcome });
  fixture.proxy.requests.length = 0;
}
beforeEach(() => connectTable(30_000));
afterEach(() => {
  table.close();
  fixture.proxy.reply = () => 'forward';
});

const get = (number: number, signal?: AbortSignal) =>
  table.get({ pk: `get-${number}`, sk: 'x' }, { ...(signal && { signal }) });
const getMany = (count: number) => Array.from({ length: count }, (_, number) => get(number));
const arrived = () => fixture.proxy.of('GetItem').length;

/** Holds all reads back until they are released. */
function holdReads(): () => void {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  fixture.proxy.reply = ({ operation }) =>
    operation === 'GetItem' ? { after: promise } : 'forward';
  return () => resolve(undefined);
}

it('sends each of many requests once, though the last waits longer than the timeout', async () => {
  const requestTimeoutMs = 3000;
  connectTable(requestTimeoutMs);
  let held: (() => void)[] = [];
  // Responds to all requests in flight, a quarter of the timeout after the last of them.
  const hold = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    if (held.push(() => resolve(undefined)) === maxInFlight) {
      const round = held;
      held = [];
      await delay(requestTimeoutMs / 4);
      for (const answer of round) answer();
    }
    await promise;
  };
  fixture.proxy.reply = () => ({ after: hold(), answer: {} });
  await Promise.all(getMany(10 * maxInFlight));
  expect(await attempts('timeout')).toBe(0);
  expect(arrived()).toBe(10 * maxInFlight);
});

it('limits the reads in flight, while batches of the writer pass them', async () => {
  const release = holdReads();
  const reads = getMany(maxInFlight + 100);
  await until(() => arrived() === maxInFlight);
  const writer = table.batchWriter();
  for (let round = 0; round < 10; round++) {
    await Promise.all([1, 2, 3].map((number) => writer.put({ pk: `${round}`, sk: `${number}` })));
  }
  expect(arrived()).toBe(maxInFlight);
  release();
  await Promise.all(reads);
  expect(arrived()).toBe(maxInFlight + 100);
  writer.close();
});

describe('a request that waits for a permit', () => {
  it('is not sent when it is aborted', async () => {
    const release = holdReads();
    const reads = getMany(maxInFlight);
    await until(() => arrived() === maxInFlight);
    const controller = new AbortController();
    const aborted = [1, 2, 3].map((number) => get(1000 + number, controller.signal));
    const last = get(2000);
    controller.abort(new Error('the client disconnected'));
    for (const each of aborted) await expect(each).rejects.toThrow('the client disconnected');
    release();
    await Promise.all([...reads, last]);
    expect(arrived()).toBe(maxInFlight + 1);
    expect(await attempts('aborted')).toBe(0);
  });

  it('is rejected when the table is closed', async () => {
    holdReads();
    const reads = Promise.allSettled(getMany(maxInFlight + 10));
    await until(() => arrived() === maxInFlight);
    table.close();
    const outcomes = new Set((await reads).map(({ status }) => status));
    expect(outcomes).toEqual(new Set(['rejected']));
    expect(arrived()).toBe(maxInFlight);
  });
});

describe('the permit of a request is released when', () => {
  it.each(['hang', 'hang after the head', 'drip', 'reset'] as const)(
    'its response breaks off: %s',
    async (reply) => {
      connectTable(300);
      fixture.proxy.reply = () => reply;
      const broken = await Promise.allSettled(getMany(maxInFlight + 10));
      expect(new Set(broken.map(({ status }) => status))).toEqual(new Set(['rejected']));
      fixture.proxy.reply = () => 'forward';
      // On a busy machine a response also takes longer than the short timeout.
      await until(() =>
        get(0).then(
          () => true,
          () => false,
        ),
      );
    },
  );

  it('it is aborted', async () => {
    const release = holdReads();
    const controller = new AbortController();
    const reads = Array.from({ length: maxInFlight }, (_, number) =>
      get(number, controller.signal),
    );
    const settled = Promise.allSettled(reads);
    await until(() => arrived() === maxInFlight);
    controller.abort();
    await settled;
    fixture.proxy.reply = () => 'forward';
    await get(0);
    release();
  });
});
