import { deviceKey, placementKey } from '@engawa/keys';
import { blockReadings, deviceItem, isBlockItem, parseDevice, placementItem } from '@engawa/model';
import { aDevice, openBeforeEach, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { Device, Document } from '@engawa/model';

const fixture = openBeforeEach(() => IngestionFixture.open());

const now = Date.now();
const itemOf = (document: Document) => document as Document & { pk: string; sk: string };

function send(reading: object): Promise<void> {
  return fixture.publish('engawa/plug/readings', JSON.stringify(reading));
}

async function plug(): Promise<Device> {
  const item = await fixture.table.get(deviceKey('plug'), { consistent: true });
  return parseDevice(item ?? {});
}

async function register(device: Partial<Device>): Promise<void> {
  const whole = aDevice({ id: 'plug', kind: 'other', lastSeenAt: now, ...device });
  await fixture.table.put(itemOf(deviceItem(whole, { list: 1, seen: 1 })));
}

async function expiryOf(time: number): Promise<unknown> {
  const items = await fixture.items('DEVICE#plug');
  const holds = (item: Document) =>
    isBlockItem(item) && blockReadings(item).some((reading) => reading.time === time);
  return items.find(holds)?.['ttl'];
}

describe('the kind of a device whose first message does not indicate it', () => {
  it('is set by a later reading, and determines the retention from then on', async () => {
    await fixture.start({ RETENTION_DAYS: '10,meter=20' });
    await send({ ts: now - 4000, uptime: 5 });
    await fixture.settled(1);
    expect((await plug()).kind).toBe('other');
    await send({ ts: now - 3000, power: 5 });
    await fixture.settled(2);
    await until('its kind', async () => (await plug()).kind === 'meter');
    expect((await plug()).version).toBe(2);
    await send({ ts: now - 2000, uptime: 6 });
    await fixture.settled(3);
    const day = 86_400;
    expect(await expiryOf(now - 4000)).toBe(Math.ceil((now - 4000) / 1000) + 10 * day);
    expect(await expiryOf(now - 2000)).toBe(Math.ceil((now - 2000) / 1000) + 20 * day);
    await send({ ts: now - 1000, temperature: 20 });
    await fixture.settled(4);
    await fixture.service?.close();
    expect(await plug()).toMatchObject({ kind: 'meter', version: 2 });
  });

  it('is shown at its placement, too', async () => {
    const since = now - 86_400_000;
    await register({ place: 'home', since });
    const placed = { place: 'home', device: 'plug', since, name: 'Plug', kind: 'other' } as const;
    await fixture.table.put(itemOf(placementItem(placed)));
    await fixture.start();
    await send({ ts: now, power: 5 });
    await until('its kind', async () => (await plug()).kind === 'meter');
    expect(await fixture.table.get(placementKey('home', 'plug'))).toMatchObject({ kind: 'meter' });
  });

  it('remains as set by a user', async () => {
    await register({ kindNamed: true });
    await fixture.start();
    await send({ ts: now, power: 5 });
    await fixture.settled(1);
    await fixture.service?.close();
    expect(await plug()).toMatchObject({ kind: 'other', version: 1 });
  });

  it('remains as set by a user while ingestion runs', async () => {
    await register({});
    await fixture.start();
    await fixture.table.update(deviceKey('plug'), { set: { kindNamed: true } });
    await send({ ts: now, power: 5 });
    await fixture.settled(1);
    await fixture.service?.close();
    expect(await plug()).toMatchObject({ kind: 'other', version: 1 });
  });
});
