import { Heat } from '../counting/heat.ts';
import type { Partition, ThrottlingScope } from '../keys/partition.ts';

const hot: Partition = { index: 'gsi1', unit: 'write', partition: 'hot' };

/** Applies this load each second: returns the seconds of state changes, and the final state. */
function live(each: (heat: Heat, now: number, second: number) => void, seconds: number) {
  const heat = new Heat({ limits: { read: 3000, write: 1000 } });
  const changes: string[] = [];
  for (let second = 0; second <= seconds; second++) {
    const now = second * 1000;
    for (const { change, heat: key } of heat.tick(now)) {
      changes.push(`${second} ${change} ${key.partition}`);
    }
    if (second < seconds) each(heat, now, second);
  }
  return { heat, changes, hot: heat.hot(seconds * 1000) };
}

const throttle = (heat: Heat, now: number, scope: ThrottlingScope = 'key_range') =>
  heat.throttled(hot, { scope, reason: 'unknown' }, 1, now);

describe('a key', () => {
  it('heats from 70 % of its limit on, and cools below 50 %', () => {
    const uses = [700, 690, 600, 600, 600, 600];
    const { changes } = live((heat, now, second) => heat.used(hot, uses[second] ?? 0, now), 70);
    // Below 50 % from the eighth second on, and for a minute.
    expect(changes).toEqual(['1 heated hot', '67 cooled hot']);
    expect(live((heat, now) => heat.used(hot, 690, now), 40).changes).toEqual([]);
  });

  it('heats with the first throttle that its use explains, and cools a minute after the last', () => {
    const used = (heat: Heat, now: number, second: number) => {
      if (second < 2) {
        heat.used(hot, 1000, now);
        throttle(heat, now);
      }
    };
    const { changes, hot: still } = live(used, 75);
    expect(changes).toEqual(['1 heated hot', '64 cooled hot']);
    expect(still).toEqual([]);
  });

  it.each([
    ['all of a second', [1000], true],
    ['half of its limit', [500, 500, 500], true],
    ['a third of its limit', [333, 333, 333], false],
    ['next to nothing', [30, 30, 30], false],
    ['nothing', [], false],
  ])('that uses %s is blamed for its throttles: %s', (_, uses, isHot) => {
    const used = (heat: Heat, now: number, second: number) => {
      heat.used(hot, uses[second % uses.length] ?? 0, now);
      throttle(heat, now);
    };
    expect(live(used, 30).hot).toHaveLength(isHot ? 1 : 0);
  });

  it('does not flap with a pulsing load', () => {
    const pulse = (heat: Heat, now: number, second: number) =>
      heat.used(hot, second % 20 < 10 ? 900 : 0, now);
    expect(live(pulse, 600).changes).toHaveLength(1);
  });

  it.each([
    ['key_range', true],
    ['other', true],
    ['table', false],
    ['account', false],
    ['on_demand_maximum', false],
  ] as const)('throttled for %s is hot: %s', (scope, isHot) => {
    const used = (heat: Heat, now: number) => {
      heat.used(hot, 600, now);
      throttle(heat, now, scope);
    };
    const { hot: found } = live(used, 2);
    expect(found.map(({ partition }) => partition)).toEqual(isHot ? ['hot'] : []);
  });

  it('reports since when it is hot, and since when the load is sustained without a pause of over 5 s', () => {
    const throttledAt = (...seconds: number[]) =>
      live((heat, now, second) => {
        heat.used(hot, 600, now);
        if (seconds.includes(second)) throttle(heat, now);
      }, 12).hot[0];
    expect(throttledAt(1, 6, 11)).toMatchObject({ hotSince: 2000, sustainedSince: 2000 });
    expect(throttledAt(1, 7, 11)).toMatchObject({
      hotSince: 2000,
      sustainedSince: 8000,
      sustainedUntil: 12_000,
    });
    const paused = throttledAt(1, 5);
    expect(paused?.hotSince).toBe(2000);
    expect(paused).not.toHaveProperty('sustainedSince');
  });

  it('counts as sustained while it is used above 70 %, also without throttles', () => {
    const { hot } = live((heat, now) => heat.used({ ...hotKey }, 800, now), 30);
    expect(hot).toMatchObject([
      { partition: 'hot', hotSince: 1000, sustainedSince: 1000, sustainedUntil: 30_000 },
    ]);
  });

  it.each([2, 5])(
    'does not count as sustained for long after a spike of %i s, of any height',
    (spike) => {
      const sustained: number[] = [];
      for (let after = 0; after < 20; after++) {
        const used = (heat: Heat, now: number, second: number) => {
          heat.used(hot, second >= 20 && second < 20 + spike ? 20_000 : 1, now);
        };
        const [{ sustainedSince = 0, sustainedUntil = 0 } = {}] = live(used, 20 + after).hot;
        sustained.push(sustainedUntil - sustainedSince);
      }
      expect(Math.max(...sustained)).toBeGreaterThan(0);
      expect(Math.max(...sustained)).toBeLessThan(10_000);
    },
  );

  it('is one of the 64 most used, in any order of becoming hot', () => {
    const useMany = (heat: Heat, now: number, second: number) => {
      for (let each = 0; each < 70; each++) {
        const partition = String(each).padStart(2, '0');
        if (second < each / 10) continue;
        heat.used({ ...hot, partition }, 600 + each, now);
        heat.throttled({ ...hot, partition }, cause, 1, now);
      }
    };
    const later = live(useMany, 30).hot.map(({ partition }) => partition);
    expect(later.toSorted()).toEqual(
      Array.from({ length: 64 }, (_, each) => `${each + 6}`.padStart(2, '0')),
    );
  });
});

const hotKey = hot;
const cause = { scope: 'key_range', reason: 'unknown' } as const;
