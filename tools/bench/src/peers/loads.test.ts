import { nextPortion, readingsIn, workloadOf } from './loads.ts';

it.each([
  { readings: 1, wanted: 1000, count: 1000 },
  { readings: 1, wanted: 1001, count: 1200 },
  { readings: 60, wanted: 30_000, count: 600 },
])('rounds up to whole rounds of all devices: %j', ({ readings, wanted, count }) => {
  const portion = nextPortion(workloadOf({ readings }), 400, wanted);
  expect(portion).toMatchObject({ from: 400, count });
  expect(readingsIn(portion)).toBe(count * readings);
});
