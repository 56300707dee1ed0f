import { deviceKey, placementKey } from '@engawa/keys';
import { parseDevice } from '@engawa/model';
import { openBeforeAll, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

const fixture = openBeforeAll(() => IngestionFixture.open());
beforeAll(() => fixture.start());

const minute = 60_000;
const hour = 60 * minute;

const post = (device: string, ...readings: object[]) =>
  fixture.post(`/v1/readings?device=${device}`, JSON.stringify(readings));

async function clockAheadOf(device: string) {
  const item = await fixture.table.get(deviceKey(device), { consistent: true });
  return parseDevice(item ?? {}).clockAhead;
}

describe('a reading ahead of its receipt by more than a minute', () => {
  it('is stored, and counted by a metric and at its device', async () => {
    const before = await fixture.metric('engawa_ingest_readings_ahead_total');
    const now = Date.now();
    const [ahead, slightly] = [now + 8 * hour, now + minute / 2];
    const answer = await post(
      'tokyo',
      { ts: ahead, x: 1 },
      { ts: ahead - 1, x: 2 },
      { ts: slightly, x: 3 },
    );
    expect(answer.body).toMatchObject({ stored: 3 });
    await until('its device', async () => (await clockAheadOf('tokyo')) !== undefined);
    const known = await clockAheadOf('tokyo');
    expect(known?.readings).toBe(2);
    expect(Math.round((known?.ms ?? 0) / hour)).toBe(8);
    expect(known?.at).toBeGreaterThanOrEqual(now);
    expect(known?.at).toBeLessThanOrEqual(Date.now());
    expect(await fixture.metric('engawa_ingest_readings_ahead_total')).toBe(before + 2);
  });

  it('updates the item of its device no more often than last seen, once it is known', async () => {
    const updates = () =>
      fixture.metric('engawa_ingest_bookkeeping_total', { what: 'device', outcome: 'done' });
    const before = await updates();
    for (let index = 0; index < 20; index++)
      await post('often', { ts: Date.now() + hour, x: index });
    await fixture.service?.close();
    expect((await updates()) - before).toBe(1);
    expect((await clockAheadOf('often'))?.readings).toBe(1);
    await fixture.start();
  });

  it('is noted at once where it is less ahead than those before', async () => {
    const noted = async (hours: number) =>
      Math.round(((await clockAheadOf('summer'))?.ms ?? 0) / hour) === hours;
    for (const [index, hours] of [3, 2, 1].entries()) {
      await post('summer', { ts: Date.now() + hours * hour, x: index });
      await until('the note', () => noted(hours));
    }
  });

  it('is not noted at a device whose clock is right', async () => {
    await post('right', { ts: Date.now(), x: 1 }, { ts: Date.now() + 50_000, x: 2 });
    expect(await clockAheadOf('right')).toBeUndefined();
  });
});

describe('the last event of a placement', () => {
  const lastEvent = async (device: string) =>
    (await fixture.table.get(placementKey('home', device), { consistent: true }))?.['lastEvent'];

  it.each([
    ['ahead', undefined],
    ['stored-ahead', Date.now() + 8 * hour],
  ])('is the one received later, not one of a clock that is ahead: %s', async (id, lastEventAt) => {
    await post(id, { x: 1 });
    await fixture.table.update(deviceKey(id), { set: { place: 'home' } });
    const placement = { ...placementKey('home', id), device: id };
    await fixture.table.put({ ...placement, ...(lastEventAt && { lastEventAt, lastEvent: {} }) });
    if (lastEventAt === undefined) {
      await post(id, { ts: Date.now() + 8 * hour, contact: 'open' });
      await until('the event', async () => (await lastEvent(id)) !== undefined);
      const shown = await fixture.table.get(placementKey('home', id), { consistent: true });
      expect(shown?.['lastEventAt']).toBeLessThanOrEqual(Date.now());
    }
    await post(id, { ts: Date.now() + 1, contact: 'closed' });
    await until('the later event', async () => {
      return (
        ((await lastEvent(id)) as Record<string, unknown> | undefined)?.['contact'] === 'closed'
      );
    });
  });
});
