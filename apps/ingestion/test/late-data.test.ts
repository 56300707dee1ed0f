import { deviceKey, placementKey, rollupKey } from '@engawa/keys';
import { openBeforeEach, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

const fixture = openBeforeEach(() => IngestionFixture.open());

const hour = 3_600_000;
const hoursAgo = (hours: number): number => Math.floor(Date.now() / hour - hours) * hour;
const iso = (time: number): string => new Date(time).toISOString();

function publish(device: string, reading: object): Promise<void> {
  return fixture.publish(`engawa/${device}/readings`, JSON.stringify(reading));
}

describe('a late reading', () => {
  const rollup = (width: string, start: number) => rollupKey('meter', width, start);

  async function putRollup(width: string, start: number): Promise<void> {
    await fixture.table.put({ ...rollup(width, start), version: 'made before', sum: 12 });
  }

  it('clears the values of the rollups that it belongs to, and of no others', async () => {
    await fixture.start();
    const start = hoursAgo(30);
    const day = Math.floor(start / (24 * hour)) * 24 * hour;
    await putRollup('PT1H', start);
    await putRollup('P1D', day);
    await putRollup('PT1H', start - hour);
    await publish('meter', { ts: iso(start + 1), power: 5 });
    await fixture.settled(1);
    for (const key of [rollup('PT1H', start), rollup('P1D', day)]) {
      const item = await fixture.table.get(key);
      expect(Object.keys(item ?? {}).sort()).toEqual(['pk', 'sk', 'version']);
      expect(item?.['version']).not.toBe('made before');
    }
    expect(await fixture.table.get(rollup('PT1H', start - hour))).toMatchObject({ sum: 12 });
  });

  it('gives them another version each time', async () => {
    await fixture.start();
    const versions = new Set<unknown>();
    for (const offset of [1, 2, 3]) {
      await publish('meter', { ts: iso(hoursAgo(30) + offset), power: offset });
      await fixture.settled(offset);
      versions.add((await fixture.table.get(rollup('PT1H', hoursAgo(30))))?.['version']);
    }
    expect(versions.size).toBe(3);
  });

  it('does not change a rollup whose readings have begun to expire', async () => {
    await fixture.start({ RETENTION_DAYS: '1' });
    // Within this hour the retention ends.
    await putRollup('PT1H', hoursAgo(24));
    await publish('meter', { ts: iso(hoursAgo(23) - 1), power: 5 });
    await fixture.settled(1);
    expect(await fixture.readingsOf('meter')).toHaveLength(1);
    expect(await fixture.table.get(rollup('PT1H', hoursAgo(24)))).toMatchObject({ sum: 12 });
  });

  it('clears a day that has begun to expire, because its hours have not', async () => {
    const realNow = Date.now;
    const day = 24 * hour;
    const today = Math.floor(realNow() / day) * day;
    const toNoon = today + day / 2 - realNow();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => realNow() + toNoon);
    try {
      await fixture.start({ RETENTION_DAYS: '2' });
      const [first, last] = [today - 2 * day, today - day - hour];
      await putRollup('P1D', first);
      await putRollup('PT1H', first);
      await putRollup('PT1H', last);
      await publish('meter', { ts: iso(last + 1), power: 5 });
      await fixture.settled(1);
      for (const key of [rollup('PT1H', last), rollup('P1D', first)]) {
        expect((await fixture.table.get(key))?.['version']).not.toBe('made before');
      }
      expect(await fixture.table.get(rollup('PT1H', first))).toMatchObject({ sum: 12 });
    } finally {
      clock.mockRestore();
    }
  });

  it('that is on time writes no invalidation', async () => {
    await fixture.start();
    await publish('meter', { power: 5 });
    await fixture.settled(1);
    const items = await fixture.items('DEVICE#meter');
    expect(items.filter(({ sk }) => typeof sk === 'string' && sk.startsWith('#AGG'))).toEqual([]);
  });
});

describe('an event', () => {
  const door = (place: string) => placementKey(place, 'door');
  const lastEvent = async (place: string) => {
    const item = await fixture.table.get(door(place));
    return [item?.['lastEventAt'], item?.['lastEvent']];
  };

  /** As the registry does it: the device names its place, and the place has the placement. */
  async function placeDoor(place: string, from?: string): Promise<void> {
    await fixture.table.update(deviceKey('door'), { set: { place } });
    await fixture.table.put({ ...door(place), device: 'door' });
    if (from !== undefined) await fixture.table.delete(door(from));
  }

  it('is shown at its placement at once; an older event that is received later is not', async () => {
    await fixture.start();
    const now = Date.now();
    await publish('door', { ts: now - 5000, contact: 'closed', battery: 90 });
    await fixture.settled(1);
    expect(await fixture.table.get(door('home'))).toBeUndefined();
    await placeDoor('home');
    await publish('door', { ts: now - 1000, contact: 'open', battery: 90 });
    await until('the event', async () => (await lastEvent('home'))[0] === now - 1000);
    expect(await lastEvent('home')).toEqual([now - 1000, { contact: 'open' }]);
    await publish('door', { ts: now - 3000, contact: 'closed' });
    await fixture.settled(3);
    await publish('door', { ts: now - 500, battery: 89 });
    await fixture.settled(4);
    await fixture.service?.close(); // which ends the bookkeeping
    expect(await lastEvent('home')).toEqual([now - 1000, { contact: 'open' }]);
  });

  it('follows a device that is moved, and creates no placement', async () => {
    await fixture.start();
    const now = Date.now();
    await publish('door', { ts: now - 5000, contact: 'closed' });
    await fixture.settled(1);
    await placeDoor('home');
    await publish('door', { ts: now - 4000, contact: 'open' });
    await until('the event', async () => (await lastEvent('home'))[0] === now - 4000);
    await placeDoor('office', 'home');
    await publish('door', { ts: now - 3000, contact: 'closed' });
    await until('the event', async () => (await lastEvent('office'))[0] === now - 3000);
    expect(await lastEvent('office')).toEqual([now - 3000, { contact: 'closed' }]);
    expect(await fixture.table.get(door('home'))).toBeUndefined();
  });
});

describe('last seen', () => {
  it('is updated once an hour, for any readings in between and any late ones', async () => {
    await fixture.start();
    const now = Date.now();
    const seenAt = async () => (await fixture.table.get(deviceKey('meter')))?.['lastSeenAt'];
    await publish('meter', { ts: now - 2 * hour, power: 1 });
    await fixture.settled(1);
    const first = Number(await seenAt());
    expect(first).toBeGreaterThanOrEqual(now);
    await publish('meter', { ts: now, power: 2 });
    await publish('meter', { ts: now - 9 * hour, power: 3 });
    await fixture.settled(3);
    expect(await seenAt()).toBe(first);
  });
});
