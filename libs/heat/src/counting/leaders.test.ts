import { randomFrom } from '@engawa/testing';
import { Heat } from './heat.ts';
import { Leaders } from './leaders.ts';
import type { PartitionHeat } from '../keys/partition.ts';

const indexUnit = { index: 'table', unit: 'write' } as const;

function heat(partition: string, utilization: number, more: Partial<PartitionHeat> = {}) {
  const unitsPerSecond = utilization * 1000;
  const quiet = { uncertainty: 0, throttlesPerSecond: {}, throttledUnitsPerSecond: 0 };
  return { ...indexUnit, partition, unitsPerSecond, utilization, ...quiet, ...more };
}

const names = (heats: readonly PartitionHeat[]) => heats.map(({ partition }) => partition);

describe('Leaders', () => {
  it('are the hottest, with their current loads', () => {
    const leaders = new Leaders({ count: 2 });
    expect(names(leaders.choose([heat('a', 0.3), heat('b', 0.2), heat('c', 0.1)]))).toEqual([
      'a',
      'b',
    ]);
    expect(leaders.choose([heat('b', 0.25), heat('a', 0.2)])).toEqual([
      heat('b', 0.25),
      heat('a', 0.2),
    ]);
  });

  it('keep their label until another key is certainly hotter', () => {
    const leaders = new Leaders({ count: 2 });
    leaders.choose([heat('a', 0.3), heat('b', 0.2)]);
    const challenged = (c: PartitionHeat) =>
      names(leaders.choose([heat('a', 0.3), c, heat('b', 0.2)]));
    expect(challenged(heat('c', 0.29))).toEqual(['a', 'b']);
    expect(challenged(heat('c', 0.6, { uncertainty: 310 }))).toEqual(['a', 'b']);
    expect(challenged(heat('c', 0.31))).toEqual(['a', 'c']);
  });

  it('are replaced at once by a hot key', () => {
    const leaders = new Leaders({ count: 2 });
    leaders.choose([heat('a', 0.6), heat('b', 0.65)]);
    const throttled = heat('c', 0.55, { throttlesPerSecond: { key_range: 1 } });
    expect(names(leaders.choose([throttled, heat('b', 0.65), heat('a', 0.6)]))).toEqual(['c', 'b']);
    const hot = heat('d', 0.7, { hotSince: 1 });
    expect(names(leaders.choose([hot, throttled, heat('b', 0.65)]))).toEqual(['d', 'c']);
    const table = heat('e', 0.1, { throttlesPerSecond: { table: 9 } });
    expect(names(leaders.choose([hot, throttled, table]))).toEqual(['d', 'c']);
  });

  it('lose their label after a quiet minute, and at once to a hot key', () => {
    const leaders = new Leaders({ count: 1 });
    leaders.choose([heat('a', 0.9, { hotSince: 1 })]);
    const shown = Array.from({ length: 61 }, () => names(leaders.choose([heat('b', 0.1)])).join());
    expect([shown.slice(0, 60).join(''), shown[60]]).toEqual(['', 'b']);
    leaders.choose([heat('c', 0.9, { hotSince: 2 })]);
    leaders.choose([]);
    expect(names(leaders.choose([heat('d', 0.1, { hotSince: 3 })]))).toEqual(['d']);
  });

  it('change rarely among very many keys of similar load', () => {
    const random = randomFrom(1);
    const leaders = new Leaders({ count: 10 });
    const seen = new Set<string>();
    const looks = 300;
    for (let look = 0; look < looks; look++) {
      const candidates = Array.from({ length: 40 }, () =>
        heat(`key ${Math.floor(random() * 100_000)}`, 0.001 * (1 + 0.45 * random())),
      ).sort((left, right) => right.utilization - left.utilization);
      const chosen = names(leaders.choose(candidates));
      expect(chosen.length).toBeLessThanOrEqual(10);
      for (const name of chosen) seen.add(name);
    }
    // Each label changes in one of 61 scrapes at most.
    expect(seen.size).toBeLessThanOrEqual(10 * Math.ceil(looks / 61));
    expect(seen.size).toBeGreaterThanOrEqual(10);
  });

  it('change rarely among 100,000 keys of similar load, and include a hot key within one scrape', () => {
    const random = randomFrom(2);
    const measured = new Heat({ limits: { read: 3000, write: 1000 } });
    const leaders = new Leaders({ count: 10 });
    const seen = new Set<string>();
    for (let second = 0; second < 200; second++) {
      for (let each = 0; each < 1000; each++) {
        const partition = `DEVICE#${Math.floor(random() * 100_000)}`;
        measured.used({ ...indexUnit, partition }, 1, second * 1000 + each);
      }
      const hot = { ...indexUnit, partition: `HOT#${second}` };
      const cause = { scope: 'key_range', reason: 'unknown' } as const;
      if (second % 100 === 99) {
        measured.used(hot, 1000, second * 1000 + 999);
        measured.throttled(hot, cause, 1, second * 1000 + 999);
      }
      const now = (second + 1) * 1000;
      measured.tick(now);
      const chosen = names(leaders.choose(measured.top(indexUnit, 100, now)));
      expect(chosen.length).toBeLessThanOrEqual(10);
      for (const name of chosen) seen.add(name);
      expect(chosen.includes(hot.partition)).toBe(second % 100 === 99);
    }
    expect(seen.size).toBeLessThanOrEqual(100);
  });
});
