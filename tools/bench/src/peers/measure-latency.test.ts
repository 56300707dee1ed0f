import { latenciesOf } from './measure-latency.ts';
import { publishedReadings } from '../workload.ts';
import { identityOf } from './verdict.ts';

it('measures from the intended time, whether or not the reading was published then', () => {
  const workload = { topic: 'engawa', prefix: 'a', devices: 2, readings: 1, start: 0, step: 1000 };
  const [first, , third] = [4, 5, 6].map((number) =>
    publishedReadings(workload, number).map(identityOf).join(),
  );
  const storedAt = new Map([
    [first ?? '', 1010],
    [third ?? '', 1300],
  ]);
  // Ten readings per second: the first three are due at 1000, 1100 and 1200.
  const portion = { workload, from: 4, count: 3 };
  expect(latenciesOf(portion, { startedAt: 1000, rate: 10 }, storedAt)).toEqual({
    latencies: [10, 100],
    lost: 1,
  });
});
