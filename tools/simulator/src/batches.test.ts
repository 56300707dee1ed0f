import type { PlaybackOptions } from './batches.ts';
import { countMessages, messagesOf } from './batches.ts';
import { devices } from './homes.ts';
import type { DeviceMessage } from './message.ts';
import { oneHour, oneMinute } from './physics/clock.ts';
import { Simulation } from './simulation.ts';

const simulation = new Simulation();
// Soon after the meters were installed: they add up all days since then.
const noon = Date.parse('2025-01-20T12:00:00+09:00');
const playing: PlaybackOptions = {
  simulation,
  devices,
  from: noon,
  to: noon + oneHour,
  bundleMinutes: 60,
};

function play(change: Partial<PlaybackOptions>): DeviceMessage[] {
  return [...messagesOf({ ...playing, ...change })];
}

/** Device and time of each reading, sorted. */
function contents(messages: readonly DeviceMessage[]): string[] {
  return messages
    .flatMap(({ device, readings }) => readings.map(({ time }) => `${device} ${time}`))
    .sort();
}

it('sends an hour of a device in one array, ten minutes of a device behind a gateway', () => {
  const sizes = (device: string) =>
    play({})
      .filter((message) => message.device === device)
      .map(({ readings }) => readings.length);
  expect(sizes('meter-tanaka')).toEqual([60]);
  expect(sizes('climate-tanaka-living')).toEqual([60]);
  expect(sizes('climate-sato-living')).toEqual([10, 10, 10, 10, 10, 10]);
});

it('sends every reading of the simulated time once, for each batch size', () => {
  const all = devices
    .flatMap((device) =>
      simulation
        .readingsBetween(device, noon, noon + 3 * oneHour)
        .map(({ time }) => `${device.id} ${time}`),
    )
    .sort();
  for (const bundleMinutes of [1, 5, 60]) {
    const messages = play({ to: noon + 3 * oneHour, bundleMinutes });
    expect(contents(messages)).toEqual(all);
    expect(countMessages({ ...playing, to: noon + 3 * oneHour, bundleMinutes })).toBe(
      messages.length,
    );
  }
});

it('continues where it stopped, at any instant', () => {
  const cuts = [0, 7.31, 20, 20.5, 59.999, 60, 61, 120].map(
    (minutes) => noon + minutes * oneMinute,
  );
  const pieces = cuts
    .slice(1)
    .flatMap((to, index) => play({ from: cuts[index] ?? NaN, to, bundleMinutes: 1 }));
  expect(contents(pieces)).toEqual(contents(play({ to: noon + 120 * oneMinute })));
});

it('sends messages in the order of their newest reading', () => {
  const newest = play({ to: noon + 3 * oneHour }).map(
    ({ readings }) => readings.at(-1)?.time ?? NaN,
  );
  expect(newest).toEqual(newest.toSorted((one, other) => one - other));
});

it('produces the same bytes when it begins at another hour', () => {
  const early = play({ to: noon + 3 * oneHour }).map(({ payload }) => payload);
  const late = play({ from: noon + oneHour, to: noon + 3 * oneHour });
  expect(late.length).toBeGreaterThan(20);
  for (const { payload } of late) expect(early).toContain(payload);
});

it("writes times in each home's format, and a single reading as an object", () => {
  const messages = play({ to: noon + 10 * oneMinute, bundleMinutes: 1 });
  const first = (device: string): unknown => {
    const found = messages.find((message) => message.device === device);
    expect(found?.topic).toBe(`engawa/${device}/readings`);
    return JSON.parse(found?.payload ?? '');
  };
  expect(first('meter-tanaka')).toEqual({
    ts: '2025-01-20T12:00:00+09:00',
    energyImport: expect.any(Number) as number,
    energyExport: expect.any(Number) as number,
    power: expect.any(Number) as number,
  });
  expect(first('climate-smith-study')).toMatchObject({ ts: noon });
  const upload = first('climate-sato-kitchen');
  expect(upload).toHaveLength(10);
  expect(upload).toMatchObject([
    { ts: noon / 1000 },
    { ts: noon / 1000 + 60 },
    {},
    {},
    {},
    {},
    {},
    {},
    {},
    {},
  ]);
});
