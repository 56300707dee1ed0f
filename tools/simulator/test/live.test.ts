import { openBeforeEach } from '@engawa/testing';
import { devices } from '../src/homes.ts';
import { playLive } from '../src/live.ts';
import { oneMinute } from '../src/physics/clock.ts';
import { Publisher } from '../src/publisher.ts';
import { Simulation } from '../src/simulation.ts';
import { startBroker } from './broker.ts';

const broker = openBeforeEach(startBroker);
const publisher = openBeforeEach(
  () => new Publisher({ url: broker.url, version: '3.1.1', print: () => undefined }),
);

it('sends each minute once as time passes, and gateways every ten minutes', async () => {
  const stop = new AbortController();
  const from = Date.parse('2025-01-20T12:00:00.500+09:00');
  // Each look at the clock is 20 s later; once it was set back by a minute.
  let looks = 0;
  const live = playLive({
    publisher,
    simulation: new Simulation(),
    devices,
    from,
    signal: stop.signal,
    now: () => from + (looks += 1) * 20_000 - (looks === 10 ? oneMinute : 0),
    tickMilliseconds: 1,
  });
  const of = (device: string) =>
    broker.received.filter(({ topic }) => topic === `engawa/${device}/readings`);
  await broker.until(() => of('climate-sato-living').length === 2);
  stop.abort();
  await expect(live).rejects.toThrow('aborted');

  const minutes = of('climate-smith-living')
    .slice(0, 15)
    .map(({ payload }) => (JSON.parse(payload) as { ts: number }).ts);
  const noon = Date.parse('2025-01-20T12:00:00+09:00');
  expect(minutes).toEqual(Array.from({ length: 15 }, (_, index) => noon + (index + 1) * oneMinute));
  for (const { payload } of of('climate-sato-living')) expect(JSON.parse(payload)).toHaveLength(10);
});
