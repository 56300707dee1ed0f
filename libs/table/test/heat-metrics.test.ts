import { Heat, keyNamer } from '@engawa/heat';
import { devicePartition, deviceSeenPartition, entityPartition } from '@engawa/keys';
import { Registry } from 'prom-client';
import { TableMetrics } from '../src/index.ts';
import { HeatMetrics } from '../src/heat/heat-metrics.ts';
import type { KeyNaming, Partition } from '@engawa/heat';

const limits = { read: 3000, write: 1000 };
const secret = 'of this test';

type SampleLabels = Record<'index' | 'unit' | 'partition', string>;

/** The values of the three gauges for one index and unit. */
const gauges = ['units_per_second', 'utilization_ratio', 'throttles_per_second'].map(
  (name) => `engawa_hot_partition_${name}`,
);

function observed(naming: KeyNaming = 'shown') {
  const registry = new Registry();
  const heat = new Heat({ limits });
  const nameOf = keyNamer({ naming, secret });
  const clock = { now: 0 };
  new HeatMetrics({ heat, nameOf, registry, now: () => clock.now });
  /** The samples of one gauge: labels and value. */
  const samples = async (name: string) => {
    const { values } = (await registry.getSingleMetric(name)?.get()) ?? { values: [] };
    return values.map(({ labels, value }) => ({ ...(labels as SampleLabels), value }));
  };
  return { registry, heat, clock, samples };
}

const device = (partition: string): Partition => ({ index: 'table', unit: 'write', partition });

it('shows units, share of the limit and throttles of a hot key', async () => {
  const { heat, clock, samples } = observed();
  const hot = device(devicePartition('hot'));
  const cause = { scope: 'key_range', reason: 'TableWriteKeyRangeThroughputExceeded' } as const;
  for (let second = 0; second < 10; second++) {
    heat.used(hot, 800, second * 1000);
    heat.throttled(hot, cause, 1, second * 1000);
    heat.throttled(hot, { scope: 'other', reason: 'unprocessed' }, 1, second * 1000);
  }
  clock.now = 10_000;
  const values = (await Promise.all(gauges.map(samples))).flat();
  const labels = { index: 'table', unit: 'write', partition: 'DEVICE#hot' };
  expect(values).toMatchObject([labels, labels, labels]);
  [800, 0.8, 2].forEach((value, gauge) => expect(values[gauge]?.value).toBeCloseTo(value));
});

it('removes the series of a key that has cooled down', async () => {
  const { heat, clock, registry } = observed();
  heat.used(device('DEVICE#hot'), 800, 0);
  clock.now = 1000;
  expect(await registry.metrics()).toContain('DEVICE#hot');
  clock.now = 60_000;
  expect(await registry.metrics()).not.toContain('DEVICE#hot');
});

it('has one sample for keys with the same name, the hottest one', async () => {
  const { heat, clock, samples } = observed('hidden');
  for (const [id, units] of [
    ['a', 10],
    ['b', 300],
    ['c', 20],
  ] as const) {
    heat.used(device(devicePartition(id)), units, 0);
  }
  clock.now = 1000;
  const [units = ''] = gauges;
  expect(await samples(units)).toEqual([
    { index: 'table', unit: 'write', partition: 'DEVICE', value: 300 },
  ]);
});

describe('very many keys', () => {
  const sides = ['table', 'gsi1', 'gsi2'].flatMap((index) =>
    (['read', 'write'] as const).map((unit) => ({ index, unit })),
  );
  const seconds = 30;

  /** Each second other keys of similar heat, and among them a few that are always throttled. */
  async function drive(naming: KeyNaming, keys: number, keyOf: (number: number) => string) {
    const { heat, clock, registry, samples } = observed(naming);
    new TableMetrics(registry);
    const seen = new Set<string>();
    let longest = 0;
    for (let number = 0; number < keys; number++) {
      const now = (number / keys) * seconds * 1000;
      const side = sides[number % sides.length] ?? device('');
      heat.used({ ...side, partition: keyOf(number) }, 1 + (number % 3), now);
      const throttled = { ...side, partition: keyOf(number % 24) };
      const cause = { scope: 'key_range', reason: 'unknown' } as const;
      if (number % 100 < 6) heat.throttled(throttled, cause, 1, now);
      if (number % (keys / seconds) >= 1) continue;
      clock.now = now;
      const all = (await Promise.all(gauges.map(samples))).flat();
      const labels = all.map(({ index, unit, partition }) => ({ index, unit, partition }));
      const current = new Set(labels.map((one) => JSON.stringify(one)));
      for (const one of current) seen.add(one);
      for (const { index, unit } of sides) {
        const own = [...current].filter((one) => one.includes(`"${index}","unit":"${unit}"`));
        expect(own.length).toBeLessThanOrEqual(10);
      }
      expect(all.length).toBe(3 * current.size);
      longest = Math.max(longest, (await registry.metrics()).length);
    }
    return { seen, longest };
  }

  const kinds = [
    (id: string) => devicePartition(id),
    (id: string) => deviceSeenPartition(Number(id)),
    (id: string) => entityPartition({ type: 'artist', id }),
  ];
  const keyOf = (number: number) => kinds[number % 3]?.(String(number)) ?? '';

  it.each([
    ['shown', 100_000],
    ['hashed', 10_000],
    ['hidden', 10_000],
  ] as const)('have few label sets, and a small scrape: %s, of %d', async (naming, keys) => {
    const { seen, longest } = await drive(naming, keys, keyOf);
    expect(seen.size).toBeGreaterThan(0);
    // Few labels are replaced in half a minute.
    expect(seen.size).toBeLessThanOrEqual(sides.length * 10 * 2);
    expect(longest).toBeLessThan(100_000);
  });

  it('have a small scrape even with keys of the maximum length', async () => {
    const longKey = (number: number) => String(number).padStart(2048, 'x');
    const { longest } = await drive('shown', 6000, longKey);
    expect(longest).toBeGreaterThan(10_000);
    expect(longest).toBeLessThan(1_000_000);
  });
});
