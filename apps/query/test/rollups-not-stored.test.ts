import { aReading, openBeforeAll } from '@engawa/testing';
import { askAggregates } from './aggregates.ts';
import { QueryFixture, single } from './query-fixture.ts';

const start = Date.parse('2026-10-01T00:00:00Z');
const range = { from: '2026-10-01T00:00:00Z', to: '2026-10-02T00:00:00Z' };
const metric = 'engawa_query_rollups_not_stored_total';

const fixture = openBeforeAll(() => QueryFixture.open());

it('counts rollups that are too large to be stored', async () => {
  // Each reading has other fields: a rollup of all of them exceeds a transaction.
  const readings = Array.from({ length: 60 }, (_, index) => {
    const names = Array.from({ length: 900 }, (_, field) => `a sensor of number ${index} ${field}`);
    const fields = Object.fromEntries([...names, 'power'].map((name) => [name, 1.5]));
    return aReading({ time: start + index * 60_000, fields });
  });
  await fixture.place({ id: 'wide', blocks: single(readings) });
  const reasons = () =>
    Promise.all(['too_large', 'failed'].map((reason) => fixture.metric(metric, { reason })));
  expect(await reasons()).toEqual([0, 0]);
  const question = { ...range, every: 'P1D', fields: 'power', fn: 'count' };
  const { items } = await askAggregates(fixture, '/v1/devices/wide/aggregates', question);
  expect(items).toMatchObject([{ fields: { power: { count: 60 } } }]);
  // The rollups of the day, and of its first hour.
  expect(await reasons()).toEqual([2, 0]);
});
