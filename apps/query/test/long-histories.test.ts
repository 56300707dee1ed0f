import { membershipItem, placeItem, roomItem } from '@engawa/model';
import { askAggregates, hour, minute, valuesOf } from './aggregates.ts';
import { openBeforeAll, TokenIssuer } from '@engawa/testing';
import { QueryFixture } from './query-fixture.ts';
import type { Membership } from '@engawa/model';
import type { LatestPage, ReadingsPage } from './query-fixture.ts';

const day = 24 * hour;
/** Long ago, so that all rollups are closed. */
const end = Date.UTC(2025, 5, 10);
const moves = 3000;
const device = 'wanderer';

/** A device that moves between two rooms, `every` milliseconds, and is in the bedroom after its last move. */
function stays(every: number): Membership[] {
  return Array.from({ length: moves }, (_, index) => {
    const since = end - (moves - index) * every;
    const isLast = index === moves - 1;
    const room = isLast ? 'bedroom' : ['living', 'kitchen'][index % 2];
    return { place: 'home', room, device, since, ...(!isLast && { until: since + every }) };
  });
}

/** A reading a minute in the last two days. */
const readings = Array.from({ length: (2 * day) / minute }, (_, index) => {
  return { time: end - 2 * day + index * minute, fields: { power: 1 } };
});

async function openWith(every: number, environment = {}): Promise<QueryFixture> {
  const fixture = await QueryFixture.open(environment);
  const hours = Map.groupBy(readings, ({ time }) => Math.floor(time / hour));
  await fixture.place({ id: device, device: { place: 'home' }, blocks: [...hours.values()] });
  const registered = { registeredAt: 0, version: 1, name: 'Home' };
  const rooms = ['living', 'kitchen', 'bedroom'];
  await fixture.putAll([
    placeItem({ id: 'home', ...registered }, 1),
    ...rooms.map((id) => roomItem({ place: 'home', id, ...registered }, 1)),
    membershipItem({ place: 'home', device, since: end - moves * every }),
    ...stays(every).map(membershipItem),
  ]);
  return fixture;
}

describe('with 3,000 moves of a device in three years', () => {
  const fixture = openBeforeAll(() => openWith(8 * hour));

  it('the latest readings of a room that it left cost as if it had never been there', async () => {
    const ask = () => fixture.ask('/v1/rooms/home/living/latest');
    let page: unknown;
    const units = await fixture.readUnitsOf(async () => ({ body: page } = await ask()));
    expect((page as LatestPage).items).toEqual([]);
    expect(units).toBeLessThanOrEqual(2);
  });

  it.each(['living', 'kitchen'])('aggregates of a day of the %s cost a few units', async (room) => {
    const range = {
      from: String(end - 2 * day),
      to: String(end - day),
      every: 'PT8H',
      fn: 'count',
    };
    const askOf = (of: string) => () => askAggregates(fixture, `/v1/${of}/aggregates`, range);
    // The rollups of full hours exist then, but memberships are not read.
    await askOf(`devices/${device}`)();
    let answer: Awaited<ReturnType<typeof askAggregates>> = { items: [] };
    const ask = async () => (answer = await askOf(`rooms/home/${room}`)());
    const units = await fixture.readUnitsOf(ask);
    const counts = valuesOf(answer, 'power', 'count').map((count) => count ?? 0);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    expect(units).toBeLessThanOrEqual(8);
  });

  it('a stay that began long before the range is found', async () => {
    const range = { from: String(end - hour), to: String(end), limit: '100' };
    const search = new URLSearchParams(range).toString();
    const rooms = ['living', 'kitchen', 'bedroom'];
    const found = await Promise.all(
      rooms.map(async (room) => {
        const { body } = await fixture.ask(`/v1/rooms/home/${room}/readings?${search}`);
        return (body as ReadingsPage).items.length;
      }),
    );
    expect(found).toEqual([0, 0, 60]);
  });
});

describe('with 3,000 moves of a device in a day', () => {
  const fixture = openBeforeAll(() => openWith((25 * hour) / moves));

  const inLiving = stays((25 * hour) / moves).filter(({ room }) => room === 'living');
  /** The readings of the last day in the living room. */
  const expected = readings.filter(
    ({ time }) =>
      time >= end - day &&
      inLiving.some(({ since, until = Infinity }) => since <= time && time < until),
  );

  it('adjoining stays share their reads in aggregates', async () => {
    const range = { from: String(end - day), to: String(end), every: 'P1D', fn: 'count' };
    const ask = () => askAggregates(fixture, '/v1/rooms/home/living/aggregates', range);
    let answer = await ask();
    const units = await fixture.readUnitsOf(async () => (answer = await ask()));
    expect(valuesOf(answer, 'power', 'count')).toEqual([expected.length]);
    expect(units).toBeLessThanOrEqual(50);
  });

  it('adjoining stays share their reads in pages of readings', async () => {
    const range = { from: String(end - day), to: String(end), limit: '1000' };
    const path = '/v1/rooms/home/living/readings';
    let pages: ReadingsPage[] = [];
    const units = await fixture.readUnitsOf(async () => {
      pages = await fixture.walkAll<ReadingsPage>(path, range);
    });
    const times = pages.flatMap(({ items }) => items.map(({ time }) => Date.parse(time)));
    expect(times).toEqual(expected.map(({ time }) => time));
    expect(units).toBeLessThanOrEqual(50);
  });
});

describe('with 3,000 moves, a client that is restricted to the place', () => {
  const issuer = openBeforeAll(() => TokenIssuer.start());
  const fixture = openBeforeAll(() =>
    openWith(8 * hour, { ...issuer.environment, AUTH_PLACES_CLAIM: 'places' }),
  );

  it('pays for the latest readings as much as for a device that never moved', async () => {
    const token = await issuer.token({ scope: 'query:read', places: ['home'] });
    const authorization = `Bearer ${token}`;
    let body: unknown;
    const units = await fixture.readUnitsOf(async () => {
      ({ body } = await fixture.ask(`/v1/devices/${device}/latest?limit=3`, { authorization }));
    });
    const { readings: found } = body as LatestPage['items'][0];
    expect(found.map(({ time }) => Date.parse(time))).toEqual(
      readings
        .slice(-3)
        .map(({ time }) => time)
        .toReversed(),
    );
    expect(units).toBeLessThanOrEqual(4);
  });
});
