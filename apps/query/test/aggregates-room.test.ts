import { openBeforeAll } from '@engawa/testing';
import { askAggregates, valuesOf } from './aggregates.ts';
import { QueryFixture, single } from './query-fixture.ts';

const fixture = openBeforeAll(() => QueryFixture.open());

const at = (text: string) => Date.parse(`2026-11-${text}:00Z`);
const fields = 'temperature';

/** Readings at these times, each with its value. */
async function device(id: string, values: Record<string, number>): Promise<void> {
  const readings = Object.entries(values).map(([time, temperature]) => ({
    time: at(time),
    fields: { temperature },
  }));
  await fixture.place({ id, blocks: single(readings) });
}

describe('the aggregates of a room', () => {
  beforeAll(async () => {
    await device('old', { '16T10:00': 20, '17T10:00': 22, '18T08:00': 24, '19T10:00': 99 });
    await device('new', { '17T10:00': -99, '18T12:00': 30, '19T10:00': 21 });
    await device('other', { '16T12:00': 10, '19T12:00': 11 });
    // On the 18th at noon the old one is replaced; the other one stays in the house, but in another room.
    await fixture.settle({
      place: 'house',
      room: 'living',
      device: 'old',
      since: at('01T00:00'),
      until: at('18T12:00'),
    });
    await fixture.settle({ place: 'house', room: 'living', device: 'new', since: at('18T12:00') });
    await fixture.settle({ place: 'house', room: 'attic', device: 'other', since: at('01T00:00') });
  });

  const range = { from: '2026-11-16T00:00:00Z', to: '2026-11-20T00:00:00Z', every: 'P1D', fields };

  it('include the sensor that was there at the time', async () => {
    const path = '/v1/rooms/house/living/aggregates';
    const question = { ...range, fn: 'count,sum,first,last' };
    for (let time = 0; time < 2; time++) {
      const answer = await askAggregates(fixture, path, question);
      expect(valuesOf(answer, fields, 'sum')).toEqual([20, 22, 54, 21]);
      expect(valuesOf(answer, fields, 'count')).toEqual([1, 1, 2, 1]);
      expect(valuesOf(answer, fields, 'first')).toEqual([20, 22, 24, 21]);
      expect(valuesOf(answer, fields, 'last')).toEqual([20, 22, 30, 21]);
    }
  });

  it('of the whole place include all its rooms', async () => {
    const answer = await askAggregates(fixture, '/v1/places/house/aggregates', {
      ...range,
      fn: 'avg,min,max',
    });
    expect(valuesOf(answer, fields, 'avg')).toEqual([15, 22, 27, 16]);
    expect(valuesOf(answer, fields, 'min')).toEqual([10, 22, 24, 11]);
    expect(valuesOf(answer, fields, 'max')).toEqual([20, 22, 30, 21]);
  });

  it('cost one request for the room and one per device, once rollups are stored', async () => {
    const path = '/v1/rooms/house/living/aggregates';
    const ask = () => askAggregates(fixture, path, { ...range, every: 'PT1H' });
    await ask();
    // Who is in the room may still be known from the question before.
    expect([2, 3]).toContain(await fixture.requestsOf('Query', ask));
  });

  it('respond with 404 for a missing room', async () => {
    const { status } = await fixture.ask('/v1/rooms/house/cellar/aggregates');
    expect(status).toBe(404);
  });
});

describe('the increase in a place', () => {
  it('sums the counters of all devices while they were in it', async () => {
    const meter = (id: string, values: number[]) =>
      fixture.place({
        id,
        blocks: single(
          values.map((energy, index) => ({
            time: at('16T00:00') + index * 3_600_000,
            fields: { energy },
          })),
        ),
      });
    await meter('meter-1', [100, 101, 102, 103]);
    await meter('meter-2', [5000, 5010, 5020, 5030]);
    await fixture.settle({ place: 'flat', device: 'meter-1', since: at('01T00:00') });
    // Came at half past one: what it counted before is of another place.
    await fixture.settle({ place: 'flat', device: 'meter-2', since: at('16T01:30') });
    const answer = await askAggregates(fixture, '/v1/places/flat/aggregates', {
      from: '2026-11-16T01:00:00Z',
      to: '2026-11-16T04:00:00Z',
      fields: 'energy',
      fn: 'increase',
    });
    expect(valuesOf(answer, 'energy', 'increase')).toEqual([1, 1, 11]);
  });
});

describe('aggregates row by row', () => {
  it('are CSV with a column for each function of each field', async () => {
    await device('csv', { '16T00:10': 20, '16T00:20': 21, '16T02:00': 22.5 });
    const search = new URLSearchParams({
      from: '2026-11-16T00:00:00Z',
      to: '2026-11-16T03:00:00Z',
      fields,
      fn: 'avg,count',
      timeZone: 'Asia/Tokyo',
    });
    const { text } = await fixture.askFor(
      'text/csv',
      `/v1/devices/csv/aggregates?${search.toString()}`,
    );
    expect(text.split('\r\n')).toEqual([
      'from,to,localFrom,incomplete,temperature.avg,temperature.count',
      '2026-11-16T00:00:00.000Z,2026-11-16T01:00:00.000Z,2026-11-16T09:00:00.000+09:00,,20.5,2',
      '2026-11-16T01:00:00.000Z,2026-11-16T02:00:00.000Z,2026-11-16T10:00:00.000+09:00,,,',
      '2026-11-16T02:00:00.000Z,2026-11-16T03:00:00.000Z,2026-11-16T11:00:00.000+09:00,,22.5,1',
      '',
    ]);
  });
});
