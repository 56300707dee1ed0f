import { deviceKey } from '@engawa/keys';
import { deviceItem, parseDevice } from '@engawa/model';
import { aDevice, openBeforeEach, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

const fixture = openBeforeEach(() => IngestionFixture.open());

const hour = 3_600_000;

function send(time: number): Promise<void> {
  return fixture.publish('engawa/t/readings', JSON.stringify({ ts: time, temperature: 20 }));
}

async function lastSeenAt(): Promise<number> {
  const item = await fixture.table.get(deviceKey('t'), { consistent: true });
  return parseDevice(item ?? {}).lastSeenAt;
}

describe('last seen', () => {
  it('is not later than the receipt, even if the reading is from the future', async () => {
    await fixture.start();
    await send(Date.now() + 20 * hour);
    await fixture.settled(1);
    expect(await lastSeenAt()).toBeLessThanOrEqual(Date.now());
    expect(await lastSeenAt()).toBeGreaterThan(Date.now() - hour);
  });

  it('is the receipt, also of a device whose clock is behind', async () => {
    const device = aDevice({ id: 't', lastSeenAt: Date.now() - 2 * hour });
    await fixture.table.put(deviceItem(device, { list: 1, seen: 1 }));
    await fixture.start();
    await send(Date.now() - 20 * hour);
    await until('this hour', async () => (await lastSeenAt()) > Date.now() - hour);
  });

  it('is the time of the readings that somebody uploads, and not later than the receipt', async () => {
    await fixture.start();
    const upload = async (time: number) => {
      const line = JSON.stringify({ ts: time, temperature: 20 });
      const { status } = await fixture.post('/v1/readings?device=t', line);
      expect(status).toBe(202);
    };
    const past = Date.now() - 1000 * hour;
    await upload(past);
    expect(await lastSeenAt()).toBe(past);
    await upload(Date.now());
    await until('this hour', async () => (await lastSeenAt()) > Date.now() - hour);
  });

  it('is corrected if an earlier version has stored a future time', async () => {
    const device = aDevice({ id: 't', lastSeenAt: Date.now() + 20 * hour });
    const item = deviceItem(device, { list: 1, seen: 1 });
    await fixture.table.put(item);
    await fixture.start();
    await send(Date.now() - 1000);
    await until('a time that was', async () => (await lastSeenAt()) <= Date.now());
    expect(await lastSeenAt()).toBeGreaterThan(Date.now() - hour);
  });

  it('is updated again after a device whose clock is ahead has sent', async () => {
    const device = aDevice({ id: 't', lastSeenAt: Date.now() - 2 * hour });
    const item = deviceItem(device, { list: 1, seen: 1 });
    await fixture.table.put(item);
    await fixture.start();
    await send(Date.now() + 20 * hour);
    await until('this hour', async () => (await lastSeenAt()) > Date.now() - hour);
    expect(await lastSeenAt()).toBeLessThanOrEqual(Date.now());
  });
});
