import { minimize } from '../../src/shrink/minimize.ts';

const parts = Array.from({ length: 200 }, (_, index) => index);

/** Minimizes `all`, and records the tested sets. */
async function shrink(fails: (kept: ReadonlySet<number>) => boolean, all = parts) {
  let plays = 0;
  const kept = await minimize(all, (some) => {
    plays += 1;
    return Promise.resolve(fails(new Set(some)));
  });
  return { kept, plays };
}

describe('a failing set of parts', () => {
  it('is reduced to a single part, in about two runs per halving', async () => {
    const { kept, plays } = await shrink((some) => some.has(137));
    expect(kept).toEqual([137]);
    expect(plays).toBeLessThanOrEqual(17);
  });

  it('is reduced to the parts that fail together', async () => {
    const { kept, plays } = await shrink((some) => [3, 77, 198].every((part) => some.has(part)));
    expect(kept).toEqual([3, 77, 198]);
    expect(plays).toBeLessThanOrEqual(50);
  });

  it('is reduced to none when the run fails without parts', async () => {
    expect(await shrink(() => true)).toEqual({ kept: [], plays: 1 });
  });

  it('is not reduced when all parts are needed', async () => {
    const few = parts.slice(0, 8);
    const { kept, plays } = await shrink((some) => some.size === few.length, few);
    expect(kept).toEqual(few);
    expect(plays).toBeLessThanOrEqual(few.length ** 2 + 3 * few.length);
  });

  it('is reduced until no single part can be removed, even when supersets of failing sets do not fail', async () => {
    const fails = (some: ReadonlySet<number>) => {
      const sum = [...some].reduce((total, part) => total + part, 0);
      return some.has(50) && some.size > 2 && sum % 3 !== 1;
    };
    const { kept } = await shrink(fails, parts.slice(0, 60));
    expect(fails(new Set(kept))).toBe(true);
    for (const part of kept) expect(fails(new Set(kept.filter((one) => one !== part)))).toBe(false);
  });
});
