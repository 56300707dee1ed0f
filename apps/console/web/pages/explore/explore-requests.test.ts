import { fieldList, previousRequest, requestsOf } from './explore-requests.ts';
import type { ExploreRequest } from './explore-requests.ts';
import type { ExploreState } from './explore-state.ts';

const range = { from: Date.UTC(2026, 9, 25), to: Date.UTC(2026, 9, 26) };
const state: ExploreState = {
  sources: [
    { kind: 'device', id: 'meter' },
    { kind: 'place', id: 'home' },
  ],
  fields: ['power', 'energyImport'],
  range,
  show: 'avg',
  split: false,
  compare: 'none',
  zone: 'Europe/Berlin',
};
const requests = (changes: Partial<ExploreState> = {}, width = 1000): ExploreRequest[] =>
  requestsOf(
    { ...state, ...changes },
    { range, width, isCounter: (one) => one === 'energyImport' },
  );

test('without a source or a field there is no request', () => {
  expect(requests({ sources: [] })).toEqual([]);
  expect(requests({ fields: [] })).toEqual([]);
  expect(requests({ fields: [], show: 'readings' })).toEqual([]);
});

test('each source has a request for its levels and one for its counters', () => {
  const [levels, counters, ...others] = requests();
  expect(levels).toMatchObject({
    of: 'levels',
    source: { id: 'meter' },
    parameters: { fields: 'power', fn: ['avg', 'min', 'max'], maxPoints: 500 },
  });
  expect(counters).toMatchObject({
    of: 'counters',
    parameters: { fields: 'energyImport', fn: ['increase'], maxPoints: 60 },
  });
  expect(others.map(({ source }) => source.kind)).toEqual(['place', 'place']);
});

test('a line for each device is asked of places only', () => {
  const [device, , place] = requests({ split: true });
  expect(device?.parameters).not.toHaveProperty('groupBy');
  expect(place?.parameters).toMatchObject({ groupBy: 'device' });
});

test.each([
  [320, 150, 12],
  [1000, 500, 60],
  [5000, 1000, 312],
  [10, 50, 12],
])('a plot of %i pixels has at most %i points and %i bars', (width, points, bars) => {
  const [levels, counters] = requests({}, width);
  expect(levels?.parameters).toMatchObject({ maxPoints: points });
  expect(counters?.parameters).toMatchObject({ maxPoints: bars });
});

test('the day before has the same local time, and buckets of the same width', () => {
  const [levels] = requests();
  if (levels?.operation !== 'aggregates') throw new Error('no aggregates');
  const before = previousRequest(levels, {
    compare: 'day',
    zone: state.zone,
    range: { from: Date.parse('2026-10-26T11:00:00Z'), to: Date.parse('2026-10-26T12:00:00Z') },
    every: 'PT5M',
  });
  // Clocks are set back on October 25, 2026: 12:00 was at 10:00Z on the 24th, and is at 11:00Z from the 25th on.
  expect(before.parameters).toMatchObject({
    from: '2026-10-25T11:00:00.000Z',
    to: '2026-10-25T12:00:00.000Z',
    every: 'PT5M',
    maxPoints: undefined,
  });
});

test('names of fields are quoted as in CSV', () => {
  expect(fieldList(['a', 'b,c', 'd"e'])).toBe('a,"b,c","d""e"');
});
