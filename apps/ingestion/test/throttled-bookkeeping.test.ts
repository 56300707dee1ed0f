import { deviceKey, deviceListPartition, deviceSeenPartition, placementKey } from '@engawa/keys';
import { deviceItem, placementItem } from '@engawa/model';
import { aDevice, openBeforeEach, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { ProxiedRequest } from '@engawa/testing';
import type { Document } from '@engawa/model';
import type { TableProxy } from './table-proxy.ts';

const fixture = openBeforeEach(() => IngestionFixture.open());
let proxy: TableProxy;
beforeEach(async () => {
  proxy = await fixture.openProxy();
});

const now = Date.now();
const door = { device: 'door', place: 'home' };

function start(more: Record<string, string> = {}) {
  return fixture.start({ DYNAMODB_ENDPOINT: proxy.endpoint, ...more });
}

function send(device: string, ...readings: object[]): Promise<void> {
  return fixture.publish(`engawa/${device}/readings`, JSON.stringify(readings));
}

/** Throttles the keys for which `isHot` is true, until the returned function is called. */
function throttle(isHot: (request: ProxiedRequest) => boolean): () => void {
  proxy.fateOf = (request) => (isHot(request) ? 'throttled' : 'answered');
  return () => (proxy.fateOf = () => 'answered');
}

const isOfPlace = ({ operation, body }: ProxiedRequest) =>
  operation === 'UpdateItem' && body.includes('PLACE#home');
/** Throttles a put of an item with index keys, as the throttled index would. */
const isOfIndex = ({ operation, body }: ProxiedRequest) =>
  operation !== 'Query' && /"gsi[12]pk"/.test(body);

async function placeTheDoor(): Promise<void> {
  const since = now - 86_400_000;
  const device = aDevice({ id: 'door', kind: 'contact', place: 'home', since });
  const placement = placementItem({ ...door, since, name: 'Door', kind: 'contact' });
  await fixture.table.put(itemOf(deviceItem(device, { list: 1, seen: 1 })));
  await fixture.table.put(itemOf(placement));
}

const itemOf = (document: Document) => document as Document & { pk: string; sk: string };
const placement = () => fixture.table.get(placementKey('home', 'door'), { consistent: true });
const device = (id: string) => fixture.table.get(deviceKey(id), { consistent: true });

async function listed(index: 'gsi1' | 'gsi2', pk: string): Promise<unknown[]> {
  const { items } = await fixture.table.query({ index, pk });
  return items.map(({ id }) => id);
}

describe('a throttled place', () => {
  it('does not delay readings of other devices, and shows its event after the throttling', async () => {
    await placeTheDoor();
    await start({ MQTT_WINDOW: '20' });
    const lift = throttle(isOfPlace);
    await send('door', { ts: now - 1000, contact: 'open' });
    for (let number = 0; number < 50; number++) await send(`t-${number % 5}`, { x: number });
    await fixture.settled(51);
    expect(proxy.counts.throttled).toBeGreaterThan(0);
    expect((await placement())?.['lastEvent']).toBeUndefined();
    lift();
    await until('the event', async () => (await placement())?.['lastEventAt'] === now - 1000);
  });

  it('shows the newest event in the end, with no more requests than necessary', async () => {
    await placeTheDoor();
    await start();
    const lift = throttle(isOfPlace);
    for (let number = 0; number < 60; number++) {
      await send('door', { ts: now - 60_000 + number, contact: number % 2 ? 'closed' : 'open' });
    }
    await fixture.settled(60);
    await until('an attempt', () => proxy.counts.throttled > 0);
    lift();
    await until('the newest event', async () => {
      return (await placement())?.['lastEventAt'] === now - 60_000 + 59;
    });
    expect((await placement())?.['lastEvent']).toEqual({ contact: 'closed' });
    const updates = await fixture.metric('engawa_table_attempts_total', {
      operation: 'UpdateItem',
    });
    expect(updates).toBeLessThan(30);
  });

  it('shows at the next start the events that a killed process did not show', async () => {
    await placeTheDoor();
    await start({ SHUTDOWN_TIMEOUT_MS: '400' });
    const lift = throttle(isOfPlace);
    await send('door', { ts: now - 2000, contact: 'open' });
    await send('door', { ts: now - 1000, battery: 80 });
    await fixture.settled(2);
    // Pending events are forgotten when the time for closing is up, as in a killed process.
    await fixture.service?.close();
    expect((await placement())?.['lastEvent']).toBeUndefined();
    lift();
    await start();
    await until('the event', async () => (await placement())?.['lastEventAt'] === now - 2000);
  });

  it('does not show an event from before the device was placed there', async () => {
    await placeTheDoor();
    await start();
    await send('door', { ts: now - 5000, contact: 'open' });
    await until('the event', async () => (await placement())?.['lastEventAt'] === now - 5000);
    await fixture.service?.close();
    const moved = placementItem({ ...door, since: now - 3000, name: 'Door', kind: 'contact' });
    await fixture.table.put(itemOf(moved));
    let looks = 0;
    proxy.fateOf = ({ operation, body }) => {
      if (operation === 'GetItem' && body.includes('PLACE#home')) looks += 1;
      return 'answered';
    };
    await start();
    await until('a look at the placement', () => looks > 0);
    await fixture.service?.close(); // which ends running tasks
    expect((await placement())?.['lastEvent']).toBeUndefined();
  });

  it('is written when the service closes, within its time limit', async () => {
    await placeTheDoor();
    await start();
    const lift = throttle(isOfPlace);
    await send('door', { ts: now - 1000, contact: 'open' });
    await fixture.settled(1);
    // The next attempt would be long after this one.
    await until('many attempts', () => proxy.counts.throttled > 8);
    lift();
    await fixture.service?.close();
    expect((await placement())?.['lastEventAt']).toBe(now - 1000);
  });
});

describe('throttled device lists', () => {
  it('do not delay readings of new devices, which are listed later', async () => {
    await start({ MQTT_WINDOW: '20' });
    const lift = throttle(isOfIndex);
    for (let number = 0; number < 50; number++) await send(`new-${number}`, { x: number });
    await fixture.settled(50);
    expect(proxy.counts.throttled).toBeGreaterThan(0);
    expect(await fixture.readingsOf('new-49')).toHaveLength(1);
    expect(await listed('gsi1', deviceListPartition(0))).toEqual([]);
    lift();
    await until('all in both lists', async () => {
      const names = await listed('gsi1', deviceListPartition(0));
      return names.length === 50 && (await listed('gsi2', deviceSeenPartition(0))).length === 50;
    });
  });

  it('list a device under the name that a user has given it meanwhile', async () => {
    await start();
    const lift = throttle(isOfIndex);
    await send('new', { x: 1 });
    await fixture.settled(1);
    await fixture.table.update(deviceKey('new'), { set: { name: 'Front door' } });
    lift();
    await until('the device in the list', async () => {
      return (await listed('gsi1', deviceListPartition(0))).length === 1;
    });
    const item = await device('new');
    expect(item).toMatchObject({ name: 'Front door', gsi1sk: 'front$Pdoor#new' });
  });

  it('list a device that a killed process had stored, once it sends again', async () => {
    const stored = deviceItem(aDevice({ id: 'half', lastSeenAt: now - 1000 }));
    await fixture.table.put(itemOf(stored));
    await start();
    await send('half', { x: 1 });
    await fixture.settled(1);
    await until('the device in both lists', async () => {
      const names = await listed('gsi1', deviceListPartition(0));
      return names.length === 1 && (await listed('gsi2', deviceSeenPartition(0))).length === 1;
    });
    expect(await device('half')).toMatchObject({ version: 1, status: 'active' });
  });
});
