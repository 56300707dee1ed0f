import { until } from '@engawa/testing';
import { LiveFixture } from './live-fixture.ts';
import type { LiveClient } from './live-client.ts';

const heartbeatMs = 15_000;
const minute = 60_000;

let fixture: LiveFixture;
beforeEach(async () => {
  fixture = await LiveFixture.open();
  await fixture.start();
  // After the start, so that the intervals of the service's other parts are those of the process.
  jest.useFakeTimers({
    doNotFake: [
      ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
      ...(['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const),
    ],
  });
});
afterEach(async () => {
  jest.useRealTimers();
  await fixture.close();
});

const metric = (name: string) => fixture.ingestion.metric(`engawa_ingest_live_${name}`);

async function heard(client: LiveClient, comments: number): Promise<void> {
  await until(`${comments} comments`, () => client.comments >= comments);
}

/** Advances the clock of the service, and its interval for as long as it takes to notice. */
function elapse(ms: number): void {
  fixture.elapse(ms);
  jest.advanceTimersByTime(heartbeatMs);
}

/** A client that has received one reading of the device, and has left. @returns the id of the event */
async function visit(device: string): Promise<string> {
  const client = await fixture.listen(`?device=${device}`);
  await fixture.upload(device, [{ x: 1 }]);
  await client.received(1);
  const before = await metric('listeners');
  client.close();
  await until('its end', async () => (await metric('listeners')) < before);
  return client.lastId;
}

async function resume(device: string, id: string): Promise<LiveClient> {
  const client = await fixture.listen(`?device=${device}`, { 'last-event-id': id });
  await fixture.upload(device, [{ x: 2 }]);
  await client.received(1);
  return client;
}

describe('the heartbeat', () => {
  it('is a comment for every listener at first and each 15 seconds, by one timer for all', async () => {
    const clients = [await fixture.listen()];
    const timers = jest.getTimerCount();
    clients.push(await fixture.listen('?device=a'), await fixture.listen('?place=p'));
    // Requests in progress have timers, too.
    await until('one timer', () => jest.getTimerCount() <= timers);
    jest.advanceTimersByTime(heartbeatMs - 1);
    await fixture.upload('a', [{ x: 1 }]);
    await clients[0]?.received(1);
    expect(clients.map(({ comments }) => comments)).toEqual([1, 1, 1]);
    jest.advanceTimersByTime(1);
    for (const client of clients) await heard(client, 2);
    jest.advanceTimersByTime(heartbeatMs);
    for (const client of clients) await heard(client, 3);
    expect(clients.map(({ comments }) => comments)).toEqual([3, 3, 3]);
  });
});

describe('the id of a heartbeat', () => {
  it('is that of the last event of all filters: a quiet listener resumes after it', async () => {
    const quiet = await fixture.listen('?device=a');
    const other = await fixture.listen('?device=b');
    await fixture.upload('b', [{ x: 1 }]);
    await other.received(1);
    expect(quiet.lastId).not.toBe(other.lastId);
    jest.advanceTimersByTime(heartbeatMs);
    await heard(quiet, 2);
    expect(quiet.lastId).toBe(other.lastId);
  });
});

describe('a minute after the last listener has left', () => {
  it('the session ends: nothing is in memory, no timer runs, and a resumed stream begins with a loss', async () => {
    const id = await visit('a');
    expect(await metric('buffered_bytes')).toBeGreaterThan(0);
    elapse(minute / 2);
    expect(await metric('buffered_bytes')).toBeGreaterThan(0);
    const timers = jest.getTimerCount();
    elapse(minute / 2);
    expect(jest.getTimerCount()).toBe(timers - 1);
    expect(await metric('buffered_bytes')).toBe(0);
    const client = await resume('a', id);
    expect([client.losses, client.numbers]).toEqual([[{}], [2]]);
    jest.advanceTimersByTime(heartbeatMs);
    await heard(client, 2);
  });

  it('its filter is forgotten while others listen; before that, the stream resumes without a loss', async () => {
    const other = await fixture.listen('?device=b');
    const id = await visit('a');
    elapse(minute / 2);
    await heard(other, 2);
    const early = await resume('a', id);
    expect([early.losses, early.numbers]).toEqual([[], [2]]);
    early.close();
    await until('its end', async () => (await metric('listeners')) === 1);
    elapse(minute);
    const late = await resume('a', early.lastId);
    expect([late.losses, late.numbers]).toEqual([[{}], [2]]);
  });
});
