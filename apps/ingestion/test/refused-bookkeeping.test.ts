import { deviceKey } from '@engawa/keys';
import { deviceItem } from '@engawa/model';
import { aDevice, openBeforeEach, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { ProxiedRequest } from '@engawa/testing';
import type { TableProxy } from './table-proxy.ts';

const fixture = openBeforeEach(() => IngestionFixture.open());
let proxy: TableProxy;
beforeEach(async () => {
  proxy = await fixture.openProxy();
});

const now = Date.now();
const hour = 3_600_000;
const minute = 60_000;

function refuse(isRefused: (request: ProxiedRequest) => boolean): void {
  proxy.fateOf = (request) => (isRefused(request) ? 'refused' : 'answered');
}

function start() {
  return fixture.start({ DYNAMODB_ENDPOINT: proxy.endpoint });
}

function send(device: string, ...readings: object[]): Promise<void> {
  return fixture.publish(`engawa/${device}/readings`, JSON.stringify(readings));
}

async function register(lastSeenAt: number): Promise<void> {
  const item = deviceItem(aDevice({ id: 't', lastSeenAt, kind: 'contact' }), { list: 1, seen: 1 });
  await fixture.table.put(item);
}

const refused = () => proxy.counts.refused;
const dropped = (what: string) =>
  fixture.metric('engawa_ingest_bookkeeping_total', { what, outcome: 'dropped' });

describe('bookkeeping that the table rejects permanently', () => {
  it('of a last seen is dropped, once, and counted; the reading is acknowledged', async () => {
    await register(now - 5 * hour);
    await start();
    refuse(({ operation, body }) => operation === 'UpdateItem' && body.includes('lastSeenAt'));
    await send('t', { ts: now - minute, x: 1 });
    await fixture.settled(1);
    await until('the drop', async () => (await dropped('device')) === 1);
    await send('t', { ts: now - minute + 1, x: 1 });
    await fixture.settled(2);
    expect(refused()).toBe(1);
  });

  it('of an event is dropped, once, and counted; the reading is acknowledged', async () => {
    await register(now);
    await fixture.table.update(deviceKey('t'), { set: { place: 'home' } });
    await start();
    refuse(({ operation, body }) => operation === 'UpdateItem' && body.includes('PLACE#'));
    await send('t', { ts: now, contact: 'open' });
    await fixture.settled(1);
    await until('the drop', async () => (await dropped('event')) === 1);
    expect(refused()).toBe(1);
  });

  it('of a span does not block its readings: they are stored one by one', async () => {
    await register(now);
    await start();
    refuse(({ operation, body }) => operation === 'UpdateItem' && body.includes('span'));
    await send('t', { ts: now - 3 * minute, x: 1 }, { ts: now - 2 * minute, x: 2 });
    await fixture.settled(1);
    expect(await fixture.readingsOf('t')).toHaveLength(2);
    expect(refused()).toBeGreaterThan(0);
  });

  it('of a new device makes a dead letter of its message, and does not block others', async () => {
    await register(now);
    await start();
    refuse(({ operation, body }) => operation === 'UpdateItem' && body.includes('DEVICE#new'));
    await send('new', { ts: now, x: 1 });
    await send('t', { ts: now, x: 1 });
    await fixture.settled(2);
    const [deadLetter] = await fixture.items(`DLQ#${new Date().toISOString().slice(0, 10)}#0`);
    expect(deadLetter).toMatchObject({ reason: 'refused_by_table' });
  });
});
