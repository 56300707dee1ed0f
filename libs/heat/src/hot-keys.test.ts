import { Heat } from './heat.ts';
import type { Partition, ThrottlingScope } from './partition.ts';

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
    const uses = [700, 690, 600, 600, 600, 600, 0, 0, 0, 0, 0, 0];
    const { changes } = live((heat, now, second) => heat.used(hot, uses[second] ?? 0, now), 12);
    expect(changes).toEqual(['1 heated hot', '8 cooled hot']);
    expect(live((heat, now) => heat.used(hot, 690, now), 40).changes).toEqual([]);
  });

  it('heats with the first throttle, and cools 10 s after the last', () => {
    const { changes, hot } = live((heat, now, second) => second < 2 && throttle(heat, now), 12);
    expect(changes).toEqual(['1 heated hot', '11 cooled hot']);
    expect(hot).toEqual([]);
  });

  it.each([
    ['key_range', true],
    ['other', true],
    ['table', false],
    ['account', false],
    ['on_demand_maximum', false],
  ] as const)('throttled for %s is hot: %s', (scope, isHot) => {
    const { hot } = live((heat, now) => throttle(heat, now, scope), 2);
    expect(hot.map(({ partition }) => partition)).toEqual(isHot ? ['hot'] : []);
  });

  it('reports since when it is hot, and since when the load is sustained without a pause of over 5 s', () => {
    const throttledAt = (...seconds: number[]) =>
      live((heat, now, second) => seconds.includes(second) && throttle(heat, now), 12).hot[0];
    expect(throttledAt(1, 6, 11)).toMatchObject({ hotSince: 1000, sustainedSince: 1000 });
    expect(throttledAt(1, 7, 11)).toMatchObject({
      hotSince: 1000,
      sustainedSince: 7000,
      sustainedUntil: 11_000,
    });
    const paused = throttledAt(1, 6);
    expect(paused?.hotSince).toBe(1000);
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

  it('is one of at most 64 hot keys; the next key becomes hot when one cools', () => {
    const throttleMany = (heat: Heat, now: number, second: number) => {
      for (let each = 0; each < 70; each++) {
        const partition = String(each).padStart(2, '0');
        if (each >= 60 || second === 0) heat.throttled({ ...hot, partition }, cause, 1, now);
      }
    };
    expect(live(throttleMany, 5).hot).toHaveLength(64);
    const later = live(throttleMany, 13).hot.map(({ partition }) => partition);
    expect(later.toSorted()).toEqual(Array.from({ length: 10 }, (_, each) => `${60 + each}`));
  });
});

const hotKey = hot;
const cause = { scope: 'key_range', reason: 'unknown' } as const;
