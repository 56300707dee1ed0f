import { Heat } from './heat.ts';
import type { Partition, ThrottlingScope } from './partition.ts';

const hot: Partition = { index: 'gsi1', unit: 'write', partition: 'hot' };

/** What becomes of a key that does this each second: the seconds at which it changed, and how it was at the end. */
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

  it('tells since when it is hot, and since when it is pressed without a pause of more than 5 s', () => {
    const throttledAt = (...seconds: number[]) =>
      live((heat, now, second) => seconds.includes(second) && throttle(heat, now), 12).hot[0];
    expect(throttledAt(1, 6, 11)).toMatchObject({ hotSince: 1000, pressedSince: 1000 });
    expect(throttledAt(1, 7, 11)).toMatchObject({
      hotSince: 1000,
      pressedSince: 7000,
      pressedAt: 11_000,
    });
    const paused = throttledAt(1, 6);
    expect(paused?.hotSince).toBe(1000);
    expect(paused).not.toHaveProperty('pressedSince');
  });

  it('is pressed as long as it is used above 70 %, also where nothing is throttled', () => {
    const { hot } = live((heat, now) => heat.used({ ...hotKey }, 800, now), 30);
    expect(hot).toMatchObject([
      { partition: 'hot', hotSince: 1000, pressedSince: 1000, pressedAt: 30_000 },
    ]);
  });

  it.each([2, 5])('is not pressed for long by a spike of %i s, however high', (spike) => {
    const pressed: number[] = [];
    for (let after = 0; after < 20; after++) {
      const used = (heat: Heat, now: number, second: number) => {
        heat.used(hot, second >= 20 && second < 20 + spike ? 20_000 : 1, now);
      };
      const [{ pressedSince = 0, pressedAt = 0 } = {}] = live(used, 20 + after).hot;
      pressed.push(pressedAt - pressedSince);
    }
    expect(Math.max(...pressed)).toBeGreaterThan(0);
    expect(Math.max(...pressed)).toBeLessThan(10_000);
  });

  it('is one of 64 at most that are hot at the same time; the next has its turn when one cools', () => {
    const press = (heat: Heat, now: number, second: number) => {
      for (let each = 0; each < 70; each++) {
        const partition = String(each).padStart(2, '0');
        if (each >= 60 || second === 0) heat.throttled({ ...hot, partition }, cause, 1, now);
      }
    };
    expect(live(press, 5).hot).toHaveLength(64);
    const later = live(press, 13).hot.map(({ partition }) => partition);
    expect(later.toSorted()).toEqual(Array.from({ length: 10 }, (_, each) => `${60 + each}`));
  });
});

const hotKey = hot;
const cause = { scope: 'key_range', reason: 'unknown' } as const;
